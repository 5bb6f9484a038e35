// What one entry of the catalogue looks like.

export type RequirementLevel = 'must' | 'must_not' | 'should' | 'may';
/** Who has to fulfil it: a tool provider, a kernel, an SDK that providers are written with. */
export type RequirementSide = 'provider' | 'kernel' | 'sdk';

export interface Requirement {
  /** Group and number, such as "EVT-01". */
  readonly id: string;
  readonly level: RequirementLevel;
  readonly side: readonly RequirementSide[];
  /** The letters of the id. */
  readonly group: string;
  /** A few words. */
  readonly title: string;
  /** What is required. */
  readonly text: string;
  /** What goes wrong without it. */
  readonly why: string;
  /** What to do when a check of it fails. */
  readonly howToSatisfy: string;
  /** A few lines of code, where they say more. */
  readonly example?: string;
}

/** A group of requirements, with the words that head it. */
export interface RequirementGroup {
  readonly group: string;
  readonly title: string;
  readonly requirements: readonly Requirement[];
}

type Entry = Omit<Requirement, 'group' | 'side'>;

/** Makes a group; every entry is of the side given here unless it names its own. */
export function group(
  name: string,
  title: string,
  side: readonly RequirementSide[],
  entries: readonly (Entry & { readonly side?: readonly RequirementSide[] })[],
): RequirementGroup {
  return {
    group: name,
    title,
    requirements: entries.map((entry) => ({ ...entry, side: entry.side ?? side, group: name })),
  };
}
