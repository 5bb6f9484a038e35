// The adapter of our own kernel, as a program: `tenon conform --kernel -- node …/kernel/tenon-adapter.js`.
import { serveAdapter } from './adapter-server.js';
import { tenonHandlers } from './tenon-handlers.js';

await serveAdapter(tenonHandlers());
