// How long a decision takes with a thousand rules.
//   node bench/policy.mjs [RULES]
import { compilePolicy, decide } from '@tenon/kernel';
import { median, row } from './lib/setup.mjs';

const size = Number(process.argv[2] ?? 1_000);
const actions = ['allow', 'ask', 'deny'];

/** Rules as a large configuration has them: by operation, by provider and risk, by first words of a command, by path. */
const rules = Array.from({ length: size }, (_, n) => {
  const action = actions[n % 3];
  const name = `rule-${n}`;
  const args =
    n % 20 === 2
      ? { command: { type: 'command_prefix', words: [`tool-${n}`, 'run'] } }
      : { path: { type: 'glob', pattern: `area-${n}/**` } };
  if (n % 20 === 2 || n % 20 === 3) return { name, match: { toolName: toolOf(n), args }, action };
  if (n % 2 === 0) return { name, match: { toolName: `p${n}.operation` }, action };
  return { name, match: { provider: `p${n}`, risk: 'high' }, action };
});

function toolOf(n) {
  return n % 20 === 2 ? 'exec.bash' : 'filesystem.edit_file';
}

const started = performance.now();
const { policy } = compilePolicy(rules);
row(`${size} rules compiled`, performance.now() - started, 'ms');

const base = { kind: 'resource', risk: 'high', workingDirectory: process.cwd() };
const subjects = {
  'an operation that a rule names': {
    ...base,
    provider: 'p400',
    operation: 'operation',
    arguments: {},
  },
  'an operation that no rule names': {
    ...base,
    provider: 'none',
    operation: 'other',
    arguments: {},
  },
  [`a command beside ${size / 20} rules on commands`]: {
    ...base,
    provider: 'exec',
    operation: 'bash',
    arguments: { command: 'cd src && git status --short | head -3' },
  },
  [`a path beside ${size / 20} rules on paths`]: {
    ...base,
    provider: 'filesystem',
    operation: 'edit_file',
    arguments: { path: 'src/deep/../a.ts' },
  },
};

for (const [name, subject] of Object.entries(subjects)) {
  const times = [];
  for (let round = 0; round < 300; round += 1) {
    const begin = performance.now();
    // Each call is a new one: nothing is remembered of its path.
    for (let n = 0; n < 20; n += 1) decide(policy, { ...subject });
    times.push(((performance.now() - begin) / 20) * 1_000);
  }
  row(`decision on ${name}`, median(times), 'µs', 'wanted: < 50');
}
