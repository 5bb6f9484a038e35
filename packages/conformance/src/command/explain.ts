// `--explain ID`: one requirement in plain words, with the checks that are made of it.
import { REQUIREMENTS, requirement } from '@tenon/protocol';
import { CHECKS } from '../checks/catalogue.js';
import { KERNEL_CHECKS } from '../kernel/catalogue.js';
import { LEVEL_WORDS } from '../report/report.js';
import { reportProblems } from './flags.js';

export function runExplain(wanted: string): number {
  const id = wanted.toUpperCase();
  const found = requirement(id);
  if (found === undefined) {
    const near = REQUIREMENTS.filter((one) => one.group === id.split('-')[0]).map((one) => one.id);
    return reportProblems([
      `there is no requirement ${wanted}` +
        (near.length > 0 ? `; there are ${near.join(', ')}` : ''),
    ]);
  }
  const checks = [...CHECKS, ...KERNEL_CHECKS].filter(({ requirements }) =>
    requirements.includes(id),
  );
  const lines = [
    `${found.id}  ${found.title}`,
    `${LEVEL_WORDS[found.level]}, of the ${found.side.join(' and the ')}`,
    '',
    found.text,
    '',
    `Why: ${found.why}`,
    '',
    `How to satisfy it: ${found.howToSatisfy}`,
    ...(found.example === undefined
      ? []
      : ['', ...found.example.split('\n').map((line) => `    ${line}`)]),
    '',
    checks.length === 0 ? 'No check is made of it.' : 'Checks:',
    ...checks.map(({ id: check, title }) => `  ${check}  ${title}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
