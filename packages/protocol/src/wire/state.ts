// What a write or a read of one message carries along: the bytes, and where in the message it is.
import type { Violation } from '../domain/event.js';
import type { ByteReader } from './reader.js';
import type { ByteWriter } from './writer.js';

export interface MessageWriter {
  readonly bytes: ByteWriter;
  /** Names of the fields down to the one at hand; what is beyond `depth` is left over. */
  readonly path: string[];
  depth: number;
}

export interface MessageReader {
  readonly bytes: ByteReader;
  readonly path: string[];
  depth: number;
}

/** The problem alone, thrown while writing; the codec adds where it was. */
export class EncodeProblem extends Error {
  readonly violations: readonly Violation[];
  constructor(message: string, violations: readonly Violation[] = []) {
    super(message);
    this.violations = violations;
  }
}
