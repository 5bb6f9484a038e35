// The catalogue of requirements: what the conformance kit checks, what the docs print and what ids in errors,
// tests and comments stand for.
import { CAN, CON, EVT, OUT, TMO } from './calls.js';
import { ERR, RCT, RTY } from './errors.js';
import { BRK, GATE, OPEN, POL } from './gate.js';
import type { Requirement, RequirementGroup } from './requirement.js';
import { CFG, HKP, PRV, RND, TRM } from './rest.js';
import { KND, RPC, SCH } from './surface.js';

/** The groups, in the order of a provider's life: what it says, what it serves, how calls run, what may run. */
export const REQUIREMENT_GROUPS: readonly RequirementGroup[] = [
  ERR,
  RCT,
  RTY,
  RPC,
  SCH,
  KND,
  CON,
  TMO,
  EVT,
  OUT,
  CAN,
  RND,
  PRV,
  CFG,
  HKP,
  TRM,
  GATE,
  POL,
  BRK,
  OPEN,
];

/** Every requirement, group by group. */
export const REQUIREMENTS: readonly Requirement[] = REQUIREMENT_GROUPS.flatMap(
  ({ requirements }) => requirements,
);

const BY_ID: ReadonlyMap<string, Requirement> = new Map(
  REQUIREMENTS.map((entry) => [entry.id, entry]),
);

/** The requirement of an id such as "EVT-01"; undefined for an id that there is not. */
export function requirement(id: string): Requirement | undefined {
  return BY_ID.get(id);
}
