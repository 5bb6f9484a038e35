// What goes wrong between bytes and messages.
import type { Violation } from '../domain/event.js';

/** Bytes that are not the message they should be: truncated, garbled, of another type, nested too deep. */
export class WireDecodeError extends Error {
  /** Full name of the message that was being read. */
  readonly typeName: string;
  /** Field names down to the place, such as "/event/result/payload"; '' for the message itself. */
  readonly pointer: string;
  readonly problem: string;

  constructor(typeName: string, pointer: string, problem: string) {
    super(`cannot read ${typeName}${pointer === '' ? '' : ` at ${pointer}`}: ${problem}`);
    this.name = 'WireDecodeError';
    this.typeName = typeName;
    this.pointer = pointer;
    this.problem = problem;
  }
}

/** A message that cannot be written exactly, such as one whose JSON holds NaN. Every problem is listed. */
export class WireEncodeError extends Error {
  readonly typeName: string;
  readonly violations: readonly Violation[];

  constructor(typeName: string, violations: readonly Violation[]) {
    const list = violations.map(({ pointer, message }) => `${pointer}: ${message}`);
    super(`cannot write ${typeName}: ${list.join('; ')}`);
    this.name = 'WireEncodeError';
    this.typeName = typeName;
    this.violations = violations;
  }
}

/** The problem alone, thrown by the reader; the codec adds where it was. */
export class BytesProblem extends Error {}
