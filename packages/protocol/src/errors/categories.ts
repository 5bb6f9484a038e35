// The category table: everything that the code and the docs say about a failure category comes
// from here (ERR-01..13, RCT-01..10).

/** gRPC status code numbers used by the protocol. */
export const GRPC_CODE = {
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const;

export type ToolErrorCategory =
  | 'invalid_arguments'
  | 'not_found'
  | 'permission_denied'
  | 'execution_failed'
  | 'timeout'
  | 'concurrency_conflict'
  | 'cancelled'
  | 'process_crashed'
  | 'unknown';

/** What the kernel does with a failure of this category, before the retry gate is asked. */
export type BaseReaction =
  /** Goes to the model as it is; never tried again. */
  | 'surface'
  /** May be tried again when the error says retryable and the gate allows (RTY-01..04). */
  | 'retry_if_retryable'
  /** Tried again with the call's keys held exclusively (RCT-06, RTY-05). */
  | 'retry_serialized'
  /** Not a failure; shown to the model only when the turn itself is being aborted (RCT-07). */
  | 'withhold';

export interface CategoryFacts {
  readonly category: ToolErrorCategory;
  /** Number of the wire enum ToolErrorCategory. */
  readonly wireNumber: number;
  /** gRPC status code of a unary RPC that fails this way (ERR-13 and its siblings). */
  readonly grpcCode: number;
  readonly grpcName: string;
  /** What `retryable` is when the raiser does not say. */
  readonly defaultRetryable: boolean;
  readonly raisedBy: 'provider' | 'both' | 'kernel';
  readonly reaction: BaseReaction;
  /** Whether an outcome of this category counts against the provider's breaker (BRK-01). */
  readonly countsAgainstBreaker: boolean;
  /** Requirement ids that define the category and the reaction. */
  readonly requirements: readonly string[];
  /** One line for people: when it is raised. */
  readonly meaning: string;
  /** One line for people: what the model sees. */
  readonly modelSees: string;
}
