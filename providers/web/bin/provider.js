#!/usr/bin/env node
import { provider } from '../dist/index.js';

await provider.serve();
