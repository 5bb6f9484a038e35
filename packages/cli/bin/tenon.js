#!/usr/bin/env node
// Starts the command line. Everything else is loaded when it is needed, so that --help is quick.
import { main } from '../dist/main.js';

process.exitCode = await main(process.argv.slice(2));
