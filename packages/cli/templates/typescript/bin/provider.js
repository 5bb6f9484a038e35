#!/usr/bin/env node
import { provider } from '../dist/provider.js';

await provider.serve();
