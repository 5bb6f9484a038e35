// What a file of checks exports: the code of each check of its group, by name.
import type { Verdict } from '../model/check.js';
import type { CheckContext } from '../run/model.js';
import type { CheckName, ProviderGroup } from './catalogue.js';

/** The code of one check. */
export type Run = (context: CheckContext) => Promise<Verdict>;

/** The code of a group; a check of the catalogue without code does not compile. */
export type GroupChecks<G extends ProviderGroup> = Readonly<Record<CheckName<G>, Run>>;
