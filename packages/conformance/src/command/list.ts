// `--list`: the checks by group. Loads the catalogue of checks and nothing else.
import { CHECKS } from '../checks/catalogue.js';
import { KERNEL_CHECKS } from '../kernel/catalogue.js';
import { select } from '../run/select.js';
import { type ConformFlags, reportProblems } from './flags.js';

export function runList(flags: ConformFlags): number {
  const all = flags.kernel === true ? KERNEL_CHECKS : CHECKS;
  const { selected, unmatched } = select(all, flags.only ?? [], flags.skip ?? []);
  if (unmatched.length > 0) {
    return reportProblems(unmatched.map((pattern) => `${pattern} matches no check`));
  }
  const width = Math.max(...selected.map(({ id }) => id.length), 0);
  for (const { id, requirements, title, advisory } of selected) {
    const note = advisory === true ? ' (advisory)' : '';
    process.stdout.write(
      `${id.padEnd(width)}  ${requirements.join(' ').padEnd(7)}  ${title}${note}\n`,
    );
  }
  return 0;
}
