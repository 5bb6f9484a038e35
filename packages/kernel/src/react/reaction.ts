// What the kernel does about a failed attempt (RCT, RTY). The decision itself stands in react.ts.

export type Reaction =
  /** Ends the call; the model sees the error. */
  | { readonly type: 'surface'; readonly why: string }
  /** Tries again after `delayMs`. */
  | { readonly type: 'retry'; readonly delayMs: number; readonly why: string }
  /** Tries again holding the call's keys exclusively (RCT-06). */
  | { readonly type: 'retry_serialized'; readonly delayMs: number; readonly why: string }
  /** Ends the call; not shown to the model as a failure (RCT-07). */
  | { readonly type: 'withhold'; readonly why: string };
