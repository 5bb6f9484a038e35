// Public index of @tenon/kernel.
export type * from './api.js';
export type * from './config/model.js';
export { DEFAULT_SETTINGS } from './config/model.js';
export type * from './policy/model.js';
export type * from './plan/approver.js';
export type * from './outcome.js';
export type * from './invoke/recorder.js';
export type * from './react/reaction.js';
export type * from './journal/journal.js';
