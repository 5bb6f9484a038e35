// Public index of @tenon/conformance. Light: what does work is loaded when it is called.

/** Adds `tenon conform` to a commander program. */
export { registerConform } from './cli.js';
