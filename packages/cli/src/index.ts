// Public index of @tenon/cli: what other front ends may reuse. The command itself is bin/tenon.js.
export { main } from './main.js';
export { paint, paintLines } from './paint/paint.js';
export type { PaintOptions } from './paint/paint.js';
