// Public index of @tenon/test-support.
export { waitUntil } from './wait-until.js';
export { childrenOf, descendantsOf, openFds, processAlive } from './processes.js';
export { tempDir } from './temp-dir.js';
export { requireTool, toolPath } from './require-tool.js';
export type { SkippableTest } from './require-tool.js';
