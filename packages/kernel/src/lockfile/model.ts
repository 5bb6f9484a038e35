// The lock file as data: which files each provider is made of, by operating system and CPU.

/** The format that this version writes, and the newest that it reads. */
export const LOCK_FILE_VERSION = 1;

/** SHA-256 in hex by the role of a file: "command", or "argument N", counted from 1. */
export type FileHashes = Readonly<Record<string, string>>;

export interface LockedProvider {
  readonly name: string;
  readonly source: string;
  /** Exact, as Describe told it. */
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly resolvedAt: string;
  /** By platform, such as "linux_x64". */
  readonly sha256: Readonly<Record<string, FileHashes>>;
}

export interface LockFile {
  readonly providers: readonly LockedProvider[];
}

/** This machine, as the lock file names it. */
export const platform = (): string => `${process.platform}_${process.arch}`;
