// Writes the pages of docs/reference that are made from the code, so that they cannot say something else.
//   node scripts/docs.mjs           writes them
//   node scripts/docs.mjs --check   writes nothing, and fails when a page is out of date
// A page is a function that returns Markdown; add one to PAGES. The packages must be built (npm run build).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const protocol = await import(new URL('../packages/protocol/dist/index.js', import.meta.url).href);

const LEVELS = { must: 'MUST', must_not: 'MUST NOT', should: 'SHOULD', may: 'MAY' };

const PAGES = [
  { path: 'docs/reference/requirements.md', render: requirementsPage },
  { path: 'docs/reference/errors.md', render: errorsPage },
  { path: 'docs/what-happens-when-a-tool-fails.md', render: whenAToolFails },
];

async function whenAToolFails() {
  const { failurePage } = await import('./lib/failure-page.mjs');
  const kernel = new URL('../packages/kernel/dist/', import.meta.url);
  const { react } = await import(new URL('react/react.js', kernel).href);
  const { DEFAULT_SETTINGS } = await import(new URL('config/model.js', kernel).href);
  return failurePage({ categories: protocol.CATEGORIES, react, settings: DEFAULT_SETTINGS });
}

function requirementsPage() {
  const { REQUIREMENT_GROUPS, REQUIREMENTS } = protocol;
  return [
    '# Requirements',
    '',
    `The ${REQUIREMENTS.length} requirements that providers and kernels of this protocol fulfil. Error messages, tests and`,
    'the conformance kit name them by id; `tenon conform --explain EVT-01` prints one.',
    '',
    ...REQUIREMENT_GROUPS.map(
      ({ group, title }) => `- [${group}: ${title}](#${anchor(`${group}: ${title}`)})`,
    ),
    '',
    ...REQUIREMENT_GROUPS.flatMap(({ group, title, requirements }) => [
      `## ${group}: ${title}`,
      '',
      ...requirements.flatMap(requirementSection),
    ]),
  ].join('\n');
}

function requirementSection(requirement) {
  const lines = [
    `### ${requirement.id}`,
    '',
    `**${requirement.title}** (${LEVELS[requirement.level]}, ${requirement.side.join(' and ')})`,
    '',
    requirement.text,
    '',
    `- Why: ${requirement.why}`,
    `- How: ${requirement.howToSatisfy}`,
    '',
  ];
  if (requirement.example !== undefined) lines.push('```ts', requirement.example, '```', '');
  return lines;
}

function anchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

function errorsPage() {
  const rows = Object.values(protocol.CATEGORIES);
  return [
    '# Categories of failures',
    '',
    'Every failure of a call has one of these categories. What the kernel does about it follows from the',
    'category, from `retryable` and from the kind of the operation.',
    '',
    '| category | number | gRPC | raised by | retryable unless said | reaction | requirements |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| \`${row.category}\` | ${row.wireNumber} | ${row.grpcName} | ${RAISERS[row.raisedBy]} | ${row.defaultRetryable ? 'yes' : 'no'} | ${REACTIONS[row.reaction]} | ${row.requirements.map((id) => `[${id}](requirements.md#${id.toLowerCase()})`).join(', ')} |`,
    ),
    '',
    ...rows.flatMap((row) => [
      `## ${row.category}`,
      '',
      row.meaning,
      '',
      `What the model sees: ${row.modelSees}`,
      '',
    ]),
  ].join('\n');
}

const RAISERS = { provider: 'providers', both: 'providers and kernel', kernel: 'the kernel alone' };
const REACTIONS = {
  surface: 'shown to the model',
  retry_if_retryable: 'retried where that is safe, else shown',
  retry_serialized: 'tried again alone, else shown',
  withhold: 'not shown as a failure',
};

/** READMEs of providers, written by hand around tables that are made. */
async function readmePages() {
  const { withTables } = await import('./lib/provider-readme.mjs');
  const names = ['exec', 'search', 'web', 'task', 'user'];
  return Promise.all(
    names.map(async (name) => {
      const folder = new URL(`../providers/${name}/`, import.meta.url);
      const { provider } = await import(new URL('dist/index.js', folder).href);
      const readme = readFileSync(new URL('README.md', folder), 'utf8');
      return { path: `providers/${name}/README.md`, text: withTables(readme, provider) };
    }),
  );
}

const made = PAGES.map(async (page) => {
  const body = await page.render();
  const text = `<!-- Made by scripts/docs.mjs. Do not edit. -->\n\n${body.trimEnd()}\n`;
  return { path: page.path, text };
});
const check = process.argv.includes('--check');
const stale = [];
for (const page of [...(await Promise.all(made)), ...(await readmePages())]) {
  const path = join(root, page.path);
  if (existsSync(path) && readFileSync(path, 'utf8') === page.text) continue;
  if (check) {
    stale.push(page.path);
    continue;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, page.text);
  console.log(`wrote ${page.path}`);
}
if (stale.length > 0) {
  console.error(`out of date, run "node scripts/docs.mjs" and commit: ${stale.join(', ')}`);
  process.exit(1);
}
