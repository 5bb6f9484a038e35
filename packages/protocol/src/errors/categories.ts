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

/** The table itself, one row per category. */
export const CATEGORIES: Readonly<Record<ToolErrorCategory, CategoryFacts>> = {
  invalid_arguments: {
    category: 'invalid_arguments',
    wireNumber: 1,
    grpcCode: GRPC_CODE.INVALID_ARGUMENT,
    grpcName: 'INVALID_ARGUMENT',
    defaultRetryable: false,
    raisedBy: 'both',
    reaction: 'surface',
    countsAgainstBreaker: false,
    requirements: ['ERR-03', 'RCT-01'],
    meaning: 'The arguments do not fit the input schema of the operation.',
    modelSees:
      'An error that lists every problem and where it is, so that the call can be corrected.',
  },
  not_found: {
    category: 'not_found',
    wireNumber: 2,
    grpcCode: GRPC_CODE.NOT_FOUND,
    grpcName: 'NOT_FOUND',
    defaultRetryable: false,
    raisedBy: 'both',
    reaction: 'surface',
    countsAgainstBreaker: false,
    requirements: ['ERR-04', 'RCT-02', 'RPC-09'],
    meaning: 'What the call is about does not exist: a path, a URL, a symbol, an operation.',
    modelSees: 'An error that names what is missing.',
  },
  permission_denied: {
    category: 'permission_denied',
    wireNumber: 3,
    grpcCode: GRPC_CODE.PERMISSION_DENIED,
    grpcName: 'PERMISSION_DENIED',
    defaultRetryable: false,
    raisedBy: 'both',
    reaction: 'surface',
    countsAgainstBreaker: false,
    requirements: ['ERR-05', 'RCT-03'],
    meaning: 'The operating system, a sandbox or a policy refused it.',
    modelSees: 'An error that says who refused; nothing is tried again with more rights.',
  },
  execution_failed: {
    category: 'execution_failed',
    wireNumber: 4,
    grpcCode: GRPC_CODE.INTERNAL,
    grpcName: 'INTERNAL',
    defaultRetryable: false,
    raisedBy: 'provider',
    reaction: 'retry_if_retryable',
    countsAgainstBreaker: false,
    requirements: ['ERR-06', 'RCT-04'],
    meaning: 'It ran and did not succeed: an exit code, a compiler error, an HTTP status.',
    modelSees: 'The failure as an ordinary tool result.',
  },
  timeout: {
    category: 'timeout',
    wireNumber: 5,
    grpcCode: GRPC_CODE.DEADLINE_EXCEEDED,
    grpcName: 'DEADLINE_EXCEEDED',
    defaultRetryable: true,
    raisedBy: 'both',
    reaction: 'retry_if_retryable',
    countsAgainstBreaker: false,
    requirements: ['ERR-07', 'RCT-05', 'TMO-03'],
    meaning: "A deadline passed, the kernel's or the provider's own.",
    modelSees: 'An error with the time allowed and what had been reported until then.',
  },
  concurrency_conflict: {
    category: 'concurrency_conflict',
    wireNumber: 6,
    grpcCode: GRPC_CODE.ABORTED,
    grpcName: 'ABORTED',
    defaultRetryable: true,
    raisedBy: 'provider',
    reaction: 'retry_serialized',
    countsAgainstBreaker: false,
    requirements: ['ERR-08', 'RCT-06', 'RTY-05'],
    meaning: 'Another call was in the way, and the provider could not put the two in order itself.',
    modelSees: 'Nothing, when the serialized second try succeeds; else the error.',
  },
  cancelled: {
    category: 'cancelled',
    wireNumber: 7,
    grpcCode: GRPC_CODE.CANCELLED,
    grpcName: 'CANCELLED',
    defaultRetryable: false,
    raisedBy: 'both',
    reaction: 'withhold',
    countsAgainstBreaker: false,
    requirements: ['ERR-09', 'RCT-07'],
    meaning: 'The call was cancelled before it ended. Not a failure.',
    modelSees: 'Nothing, unless the turn itself is being aborted.',
  },
  process_crashed: {
    category: 'process_crashed',
    wireNumber: 8,
    grpcCode: GRPC_CODE.UNAVAILABLE,
    grpcName: 'UNAVAILABLE',
    defaultRetryable: true,
    raisedBy: 'kernel',
    reaction: 'surface',
    countsAgainstBreaker: true,
    requirements: ['ERR-10', 'ERR-11', 'ERR-13', 'RCT-08', 'RCT-09'],
    meaning: 'The provider process went away during the call; found out by the kernel alone.',
    modelSees:
      'An error with the exit code or signal and the last lines of stderr; the session goes on.',
  },
  unknown: {
    category: 'unknown',
    wireNumber: 9,
    grpcCode: GRPC_CODE.INTERNAL,
    grpcName: 'INTERNAL',
    defaultRetryable: false,
    raisedBy: 'both',
    reaction: 'surface',
    countsAgainstBreaker: false,
    requirements: ['ERR-12', 'RCT-10', 'EVT-06', 'OUT-02'],
    meaning: 'None of the others: an unforeseen error, or a provider that broke the protocol.',
    modelSees: 'An error; what lies beneath it is in its details and in the log.',
  },
};

/** A category that a provider may raise: all but `process_crashed` (ERR-11). */
export type ProviderErrorCategory = Exclude<ToolErrorCategory, 'process_crashed'>;

/** The categories that a provider may raise, in wire order (ERR-11). */
export const PROVIDER_CATEGORIES: readonly ProviderErrorCategory[] = [
  'invalid_arguments',
  'not_found',
  'permission_denied',
  'execution_failed',
  'timeout',
  'concurrency_conflict',
  'cancelled',
  'unknown',
];

const BY_WIRE_NUMBER = new Map(
  Object.values(CATEGORIES).map((facts) => [facts.wireNumber, facts.category]),
);

/** The category of a wire number; undefined for the unspecified zero and for numbers unknown here. */
export function categoryFromWireNumber(number: number): ToolErrorCategory | undefined {
  return BY_WIRE_NUMBER.get(number);
}

/** The category whose name this is; undefined for any other text. */
export function categoryFromName(name: string): ToolErrorCategory | undefined {
  return Object.hasOwn(CATEGORIES, name) ? (name as ToolErrorCategory) : undefined;
}

// Codes that no category owns, taken to the nearest one. What is missing here is `unknown`.
const NEAREST: ReadonlyMap<number, ToolErrorCategory> = new Map<number, ToolErrorCategory>([
  [GRPC_CODE.CANCELLED, 'cancelled'],
  [GRPC_CODE.INVALID_ARGUMENT, 'invalid_arguments'],
  [GRPC_CODE.DEADLINE_EXCEEDED, 'timeout'],
  [GRPC_CODE.NOT_FOUND, 'not_found'],
  [6 /* ALREADY_EXISTS */, 'execution_failed'],
  [GRPC_CODE.PERMISSION_DENIED, 'permission_denied'],
  [GRPC_CODE.RESOURCE_EXHAUSTED, 'execution_failed'],
  [9 /* FAILED_PRECONDITION */, 'execution_failed'],
  [GRPC_CODE.ABORTED, 'concurrency_conflict'],
  [11 /* OUT_OF_RANGE */, 'invalid_arguments'],
  [GRPC_CODE.UNAVAILABLE, 'process_crashed'],
  [16 /* UNAUTHENTICATED */, 'permission_denied'],
]);

/**
 * The nearest category of a bare gRPC status code, for peers that send no ErrorInfo. INTERNAL, UNKNOWN,
 * UNIMPLEMENTED, DATA_LOSS and numbers outside gRPC's own are `unknown`.
 */
export function categoryFromGrpcCode(code: number): ToolErrorCategory {
  return NEAREST.get(code) ?? 'unknown';
}
