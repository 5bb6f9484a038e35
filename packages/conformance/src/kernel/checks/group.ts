// What a file of kernel checks exports.
import type { Verdict } from '../../model/check.js';
import type { Bench } from '../bench.js';
import type { KernelCheckName, KernelGroup } from '../catalogue.js';

export type KernelRun = (bench: Bench) => Promise<Verdict>;

/** The code of a group; a check of the catalogue without code does not compile. */
export type KernelChecks<G extends KernelGroup> = Readonly<Record<KernelCheckName<G>, KernelRun>>;
