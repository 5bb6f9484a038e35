#!/usr/bin/env node
// The filesystem provider as a process. A kernel starts it; by hand it only says what it is.
import { provider } from '../dist/index.js';

await provider.serve();
