// What rules decide about calls: specificity, conflicts, defaults, argument patterns.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tempDir } from '@tenon/test-support';
import fc from 'fast-check';
import { possiblyRuns } from './command-match.js';
import { compilePolicy } from './compile.js';
import { decide, mismatch } from './decide.js';
import { PolicyError } from './errors.js';
import type {
  ArgumentPattern,
  PolicyAction,
  PolicyMatch,
  PolicyRule,
  PolicySubject,
} from './model.js';
import { simpleCommand } from './shell-words.js';

const words = (text: string): ArgumentPattern => ({
  type: 'command_prefix',
  words: text.split(' '),
});
const glob = (pattern: string): ArgumentPattern => ({ type: 'glob', pattern });

let count = 0;
const rule = (action: PolicyAction, match: PolicyMatch, name = `r${(count += 1)}`): PolicyRule => ({
  name,
  match,
  action,
});
const command = (action: PolicyAction, prefix: string): PolicyRule =>
  rule(action, { toolName: 'exec.bash', args: { command: words(prefix) } }, `${action} ${prefix}`);

const bash = (text: string): PolicySubject => ({
  provider: 'exec',
  operation: 'bash',
  kind: 'resource',
  risk: 'high',
  arguments: { command: text },
  workingDirectory: '/work',
});

const actionOn = (rules: readonly PolicyRule[], subject: PolicySubject): PolicyAction =>
  decide(compilePolicy(rules).policy, subject).action;

test('P1 what begins with allowed words runs; whatever does more than that still asks', () => {
  const rules = [command('allow', 'git status')];
  const allowed = [
    'git status',
    '  git   status  ',
    'git status --short',
    'git \'status\' "src dir"',
    'git status *.ts',
    'git status\n',
    'git status a\\ b',
    'git status \'a;b\' "c|d" e\\;f',
  ];
  for (const text of allowed) assert.equal(actionOn(rules, bash(text)), 'allow', text);
  const asked = [
    'git status && rm -rf x',
    'git status; x',
    'git status;',
    'git status | sh',
    'git status || x',
    'git status $(x)',
    'git status `x`',
    'git status "$(x)"',
    'git status "`x`"',
    'git status $HOME',
    'git status ${x}',
    'git status\nx',
    'git status \\\nx',
    'git status\r\nx',
    'git status {a,b}',
    'git status > f',
    'git status >f',
    'git status < f',
    'git status 2>&1',
    'git status &',
    'git status <(x)',
    'git statusx',
    'git stat"us"x',
    'FOO=1 git status',
    '(git status)',
    '{ git status; }',
    '! git status',
    'git',
    '',
    'git status # x',
    "git status 'open",
    'git status "open',
    'git status \\',
    'git -c core.pager=x status',
    '/tmp/git status',
    'git status\0x',
    "git status $'x'",
    'git\u00a0status',
    'git status\u2028x',
    'x'.repeat(100_000),
  ];
  for (const text of asked) assert.equal(actionOn(rules, bash(text)), 'ask', JSON.stringify(text));
});

test('P2 what is denied is found in lists, pipes, substitutions, and behind other programs', () => {
  const all = rule('allow', { toolName: 'exec.bash' });
  const rules = [command('deny', 'rm'), command('deny', 'git push'), all];
  const denied = [
    'rm x',
    'true && rm x',
    'true; rm x',
    'false || rm x',
    'echo x | rm',
    'command rm x',
    '\\rm x',
    'r\\m x',
    '"rm" x',
    "r''m x",
    '/bin/rm x',
    '$(rm x)',
    '`rm x`',
    'echo "$(rm x)"',
    'echo "a `rm x` b"',
    'echo ${a:-$(rm x)}',
    'FOO=1 rm x',
    'FOO=$(rm x)',
    '(rm x)',
    '{ rm x; }',
    'if true; then rm x; fi',
    'while rm x; do true; done',
    'for f in a; do rm $f; done',
    'case a in a) rm x;; esac',
    'f() { rm x; }; f',
    '! rm x',
    'time rm x',
    'true\nrm x',
    'true & rm x',
    'cat <(rm x)',
    '> f rm x',
    'rm>f x',
    'env rm x',
    'env -i A=1 rm x',
    'sudo -n rm x',
    'nohup rm x',
    'timeout 5 rm x',
    'xargs rm',
    'find . -exec rm {} +',
    'find . -type f -execdir rm {} \\;',
    "sh -c 'rm x'",
    'bash -lc "true; rm x"',
    "eval 'rm x'",
    "trap 'rm x' EXIT",
    'exec rm x',
    'busybox rm x',
    'echo <<EOF\n$(rm x)\nEOF',
    '2>&1 rm x',
    '2>f rm x',
    'time -p rm x',
    'function f { rm x; }; f',
    'for f do rm x; done',
    'coproc N { rm x; }',
    "rbash -c 'rm x'",
    'npx rm x',
    '/lib64/ld-linux-x86-64.so.2 /bin/rm x',
    'git push origin',
    'cd x && git push',
  ];
  for (const text of denied)
    assert.equal(actionOn(rules, bash(text)), 'deny', JSON.stringify(text));
  const asked = [
    '$x y',
    '${x} y',
    'r$x y',
    '$(echo rm) x',
    "$'\\x72m' x",
    '/bin/r? x',
    '{rm,x}',
    'sh -c "$x"',
    'echo rm x | sh',
    "trap 'echo rm | sh' EXIT",
    'echo "$(case x in x) rm x;; esac)"',
    'sh < f',
    'bash -s <<EOF\nrm x\nEOF',
    'eval "$x"',
    '. ./f',
    'python3 -c "import os"',
    "perl -e 'unlink'",
    'python3 <<EOF\nx\nEOF',
    "git -c alias.z='!rm x' z",
    'tar xf a --to-command=x',
    'rsync -e x a b',
    'git -C x push',
    'git $x',
    "echo 'open",
    'x'.repeat(100_000),
  ];
  for (const text of asked) assert.equal(actionOn(rules, bash(text)), 'ask', JSON.stringify(text));
  const allowed = [
    'echo rm x',
    'ls "$HOME"',
    'git status',
    'git log push',
    "grep 'rm -rf' f",
    'npm run rm',
    'cat <<EOF > f\nrm x\nEOF\nls',
    "cat <<'EOF'\n$(rm x)\nEOF",
    '# rm x',
    'ls # ; rm x',
    'rmdir x',
    'x=1; echo $x',
  ];
  for (const text of allowed)
    assert.equal(actionOn(rules, bash(text)), 'allow', JSON.stringify(text));
});

test('a doubt about a deny asks each time, whatever a session or an "always" would allow', () => {
  const { policy } = compilePolicy(
    [command('deny', 'rm'), rule('allow', { toolName: 'exec.bash' })],
    [rule('allow', { toolName: 'exec.bash' }, 'always')],
  );
  const session = { provider: 'exec', operation: 'bash', action: 'allow', reason: 'yes' } as const;
  const verdict = decide(policy, bash('$x'), [session]);
  assert.equal(verdict.action, 'ask');
  assert.match(verdict.reason, /deny rm.*cannot be told/);
  assert.equal(decide(policy, bash('rm x'), [session]).action, 'deny');
  assert.equal(decide(policy, bash('ls'), [session]).decidedBy, 'session-rule');
});

test('P3 a rule that meant a command that only looks is no way to another one', () => {
  const looks = ['find', 'find .', 'env', 'xargs', 'git', 'git log', 'rg', 'python3', 'node', 'sh'];
  const rules = [...looks, 'awk', 'sed', 'tar', 'sort', 'sudo', 'perl', 'git diff'].map((prefix) =>
    command('allow', prefix),
  );
  const asked = [
    'find . -exec x {} +',
    'find . -delete',
    'find . -fprint f',
    'env x',
    'env A=1 x',
    'xargs x',
    'sudo x',
    "python3 -c 'x'",
    'python3 -',
    'python3',
    "node -e 'x'",
    "node --eval 'x'",
    "sh -c 'x'",
    'git -c alias.x=!x x',
    'git log --output=f',
    'git diff --ext-diff',
    'rg --pre x y',
    'awk \'BEGIN { system("x") }\'',
    "sed -i 's/a/b/' f",
    "sed 's/a/b/e' f",
    'tar -xf a --to-command=x',
    'sort -o f g',
    'sort -uo f g',
    'sort --outp=f g',
    'sort --comp=x f',
    'find . -{delete,print}',
    'find . -dele[t]e',
    'find *',
    'git grep --open=x y',
    'git grep -lOx y',
    'git log --outp=f',
    'tar cIf x a b',
    "perl '-Mx;y' f",
    "perl -0777ne 'x' f",
    "sed --in-pl 's/a/b/' f",
    "sh -Ec 'x'",
    'python3 -m timeit x',
  ];
  for (const text of asked) assert.equal(actionOn(rules, bash(text)), 'ask', text);
  const allowed = [
    'find . -name x',
    "find . -name '*.ts'",
    'env',
    'git log -3',
    'git log --oneline',
    'git diff stash@{0}',
    'rg x',
    'rg --pretty x',
    "sed -n '1,20p' f",
    'sort f',
    'sort -u src/*.ts',
    'tar -tf a',
  ];
  for (const text of allowed) assert.equal(actionOn(rules, bash(text)), 'allow', text);
  // What a rule names itself, it means.
  assert.equal(actionOn([command('allow', 'xargs grep')], bash('xargs grep x')), 'allow');
  assert.equal(actionOn([command('allow', 'find . -delete')], bash('find . -delete')), 'allow');
});

const edit = (path: unknown, workingDirectory: string): PolicySubject => ({
  provider: 'filesystem',
  operation: 'edit_file',
  kind: 'resource',
  risk: 'moderate',
  arguments: { path } as PolicySubject['arguments'],
  workingDirectory,
});
const onPath = (action: PolicyAction, pattern: string): PolicyRule =>
  rule(action, { toolName: 'filesystem.edit_file', args: { path: glob(pattern) } });

function project(t: TestContext): string {
  const root = tempDir(t);
  mkdirSync(join(root, 'src', 'deep'), { recursive: true });
  mkdirSync(join(root, 'secret'));
  writeFileSync(join(root, 'src', 'a.ts'), '');
  symlinkSync('../secret', join(root, 'src', 'link'));
  symlinkSync('src', join(root, 'source'));
  symlinkSync('/etc', join(root, 'src', 'etc'));
  symlinkSync('../not-yet/there', join(root, 'src', 'dangling'));
  symlinkSync('loop', join(root, 'src', 'loop'));
  return root;
}

test('a path is allowed only where every way of reading it lies in the pattern', (t) => {
  const root = project(t);
  const rules = [onPath('allow', 'src/**')];
  for (const path of [
    'src/a.ts',
    './src/a.ts',
    'src/deep/../a.ts',
    `${root}/src/a.ts`,
    'src/new/b.ts',
    'src/.hidden',
  ]) {
    assert.equal(actionOn(rules, edit(path, root)), 'allow', path);
  }
  for (const path of [
    'src/../x',
    'src/../../x',
    '../src/a.ts',
    'srcx/a.ts',
    'src/link/x',
    'src/link/new/y',
    'src/etc/passwd',
    'src/dangling',
    'src/dangling/x',
    'src/loop/../../x',
    'src/link/../x',
    'src/deep/../../x',
    '/src/a.ts',
    'source/a.ts',
    `${root}/src/../x`,
    'src/a\0b',
    '',
    'x'.repeat(5_000),
  ]) {
    assert.equal(actionOn(rules, edit(path, root)), 'ask', JSON.stringify(path));
  }
  assert.equal(actionOn(rules, edit(['src/a.ts', 'src/b.ts'], root)), 'allow');
  assert.equal(actionOn(rules, edit(['src/a.ts', 'x'], root)), 'ask');
  assert.equal(actionOn(rules, edit(undefined, root)), 'ask');
  assert.equal(actionOn(rules, edit(7, root)), 'ask');
  // Absolute patterns, and a working directory that is a link itself.
  assert.equal(actionOn([onPath('allow', `${root}/src/**`)], edit('src/a.ts', root)), 'allow');
  assert.equal(actionOn(rules, edit('src/deep/x', join(root, 'source', '..'))), 'allow');
});

test('a path is denied where one way of reading it lies in the pattern', (t) => {
  const root = project(t);
  const rules = [onPath('deny', 'secret/**'), rule('allow', { toolName: 'filesystem.edit_file' })];
  for (const path of [
    'secret/x',
    './src/../secret/x',
    'src/link/x',
    `${root}/secret/x`,
    'secret',
  ]) {
    assert.equal(actionOn(rules, edit(path, root)), 'deny', path);
  }
  assert.equal(actionOn(rules, edit(['src/a.ts', 'secret/x'], root)), 'deny');
  assert.equal(actionOn(rules, edit('src/a.ts', root)), 'allow');
  assert.equal(actionOn(rules, edit(7, root)), 'ask');
});

test('an argument that the operation says is a path is read as one, whatever its name', (t) => {
  const root = project(t);
  const rules = [
    rule('allow', { toolName: 'filesystem.edit_file', args: { target: glob('src/**') } }),
  ];
  const subject = { ...edit('', root), arguments: { target: 'src/../x' } };
  assert.equal(actionOn(rules, { ...subject, pathArguments: ['target'] }), 'ask');
});

test('other texts are matched as they are; a glob on a command allows one simple command alone', () => {
  const url = rule('allow', { provider: 'web', args: { url: glob('https://example.org/**') } });
  const fetch = (text: string): PolicySubject => ({
    ...bash(''),
    provider: 'web',
    operation: 'fetch',
    arguments: { url: text },
  });
  assert.equal(actionOn([url], fetch('https://example.org/a/b')), 'allow');
  assert.equal(actionOn([url], fetch('https://example.org.evil/a')), 'ask');
  const globbed = rule('allow', { toolName: 'exec.bash', args: { command: glob('git status*') } });
  assert.equal(actionOn([globbed], bash('git status -s')), 'allow');
  assert.equal(actionOn([globbed], bash('git status; x')), 'ask');
  const never = rule('deny', { provider: 'web', args: { url: glob('*secret*') } });
  assert.equal(actionOn([never], fetch('a\nsecret')), 'deny');
});

test('POL-03 rules that can both match and are equally specific are refused, with both places', () => {
  const at = (line: number) => ({ location: { file: 'agent.hcl', line, column: 1 } });
  const rules = [
    { ...rule('allow', { risk: 'low' }, 'a'), ...at(3) },
    { ...rule('deny', { risk: 'low' }, 'b'), ...at(9) },
    { ...rule('deny', { risk: 'high' }, 'a'), ...at(12) },
  ];
  assert.throws(
    () => compilePolicy(rules),
    (error) => {
      assert.ok(error instanceof PolicyError);
      assert.match(error.message, /"a" and "b" \(agent\.hcl:3 and agent\.hcl:9\)/);
      assert.match(error.message, /two policies are named "a"/);
      return true;
    },
  );
  const { warnings } = compilePolicy([rule('ask', {}, 'everything')]);
  assert.match(warnings[0]?.message ?? '', /POL-06/);
});

const PROVIDERS = ['p', 'q'];
const OPERATIONS = ['read', 'write'];
const RISKS = ['read_only', 'low', 'high'] as const;
const KINDS = ['resource', 'data_source'] as const;

const anyMatch = fc.record(
  {
    toolName: fc.constantFrom('read', 'write', 'p.read', 'q.write'),
    provider: fc.constantFrom(...PROVIDERS),
    risk: fc.constantFrom(...RISKS),
    kind: fc.constantFrom(...KINDS),
  },
  { requiredKeys: [] },
);
const anySubject = fc.record({
  provider: fc.constantFrom(...PROVIDERS),
  operation: fc.constantFrom(...OPERATIONS),
  risk: fc.constantFrom(...RISKS),
  kind: fc.constantFrom(...KINDS),
  arguments: fc.constant({}),
  workingDirectory: fc.constant('/'),
});

/** POL-02 once more, as plainly as it can be said. */
function bruteForce(rules: readonly PolicyRule[], subject: PolicySubject): PolicyRule | undefined {
  const weight = ({ toolName, provider, risk, kind }: PolicyMatch): number =>
    [kind, risk, provider, toolName].reduce(
      (sum, one, bit) => sum + (one === undefined ? 0 : 2 ** bit),
      0,
    );
  const fitting = rules.filter(({ match }) => mismatch(match, subject) === undefined);
  return fitting.reduce<PolicyRule | undefined>(
    (best, one) => (best === undefined || weight(one.match) > weight(best.match) ? one : best),
    undefined,
  );
}

test('POL-01 POL-02 POL-04 POL-05 the most specific rule wins, as trying all of them says', () => {
  fc.assert(
    fc.property(
      fc.array(anyMatch, { maxLength: 12 }),
      anySubject,
      fc.infiniteStream(fc.constantFrom('allow', 'ask', 'deny')),
      (matches, subject, actions) => {
        const rules: PolicyRule[] = [];
        for (const match of matches) {
          const next = rule(actions.next().value as PolicyAction, match);
          try {
            compilePolicy([...rules, next]);
            rules.push(next);
          } catch {
            // A conflict, which the load refuses: left out.
          }
        }
        const verdict = decide(compilePolicy(rules).policy, subject);
        const expected = bruteForce(rules, subject);
        assert.equal(verdict.rule, expected);
        const raw = expected?.action ?? (subject.kind === 'resource' ? 'ask' : 'allow');
        const downgraded = raw === 'ask' && subject.kind !== 'resource';
        assert.equal(verdict.action, downgraded ? 'deny' : raw);
        assert.equal(verdict.downgraded, downgraded);
      },
    ),
    { numRuns: 300 },
  );
});

const PIECES = [
  'a',
  'git',
  ' ',
  '\t',
  "'",
  '"',
  '\\',
  '$',
  '`',
  ';',
  '&',
  '|',
  '>',
  '<',
  '(',
  ')',
  '{',
  '}',
  '#',
  '\n',
  '*',
  '!',
  '=',
  '~',
  'é',
  '-x',
  ',',
  '\r',
];

test('words of a simple command are those that a real bash gives its program', (t) => {
  if (spawnSync('bash', ['-c', 'true']).status !== 0) return t.skip('needs bash');
  const texts = new Set<string>();
  const any = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 10 });
  for (const pieces of fc.sample(any, { numRuns: 4_000, seed: 5 })) texts.add(pieces.join(''));
  const checked = [...texts].flatMap((text) => {
    const got = simpleCommand(text);
    return got === undefined || got.length === 0 ? [] : [{ text, got }];
  });
  assert.ok(checked.length > 150, `${checked.length}`);
  // Each text becomes the arguments of a function, with expansions that are no business of words turned off.
  const lines = checked.map(({ text }) => `show ${text}\necho END`);
  const script = `set -f +B\nshow() { printf '<%s>' "$@"; }\nHOME='~'\n${lines.join('\n')}`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
  const given = stdout.split('END\n');
  for (const [index, { text, got }] of checked.entries()) {
    if (text.includes('~')) continue;
    assert.equal(
      given[index],
      got.map((word) => `<${word}>`).join(''),
      `${JSON.stringify(text)} ${stderr}`,
    );
  }
});

const LEAVES = [
  'rm x',
  'true',
  'echo rm',
  '\\rm x',
  '"rm" x',
  "r''m x",
  'command rm x',
  'A=1 rm x',
  '$(echo rm) x',
  'eval "rm x"',
  "sh -c 'rm x'",
  'env rm x',
  'echo x',
  'r=rm; $r x',
  'echo rm | sh',
  '$(which rm) x',
  'exec rm x',
  'echo "#" rm',
  ": '$(rm x)'",
  ': "$(rm x)"',
  'cat <<E\nrm\nE\n',
  'cat <<E\n$(rm x)\nE\n',
  'bash <<E\nrm x\nE\n',
  'builtin eval rm',
  "a='rm x'; eval $a",
  'xargs rm </dev/null',
  '2>&1 rm x',
  '2>/dev/null rm x',
  'time -p rm x',
  'nice -n 5 rm x',
];
const SHAPES = [
  '(@)',
  '{ @\n}',
  '@ && #',
  '@ || #',
  '@\n#',
  '@ | #',
  '! @',
  'if @\nthen #\nfi',
  'echo "$(@\n)"',
  'while @\ndo #\nbreak\ndone',
  'case x in x) @\n;; esac',
  'f() { @\n}\nf',
  'cat <(@\n)',
  'time @',
  'x=$(@\n)',
  'echo ${y:-$(@\n)}',
  '@ & wait',
  '@ # c\n#',
  'for i in 1\ndo @\ndone',
  '@ >/dev/null',
  'trap "@" EXIT',
  'time -p @',
  'function g {\n@\n}\ng',
  'coproc N {\n@\n}\nwait',
];

test('what a real bash runs is never missed by a rule that denies it', (t) => {
  if (spawnSync('bash', ['-c', 'true']).status !== 0) return t.skip('needs bash');
  const folder = tempDir(t);
  const stub = join(folder, 'rm');
  writeFileSync(stub, '#!/bin/sh\necho ran >> "$RM_TRACE"\n');
  chmodSync(stub, 0o755);
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...LEAVES),
      fc
        .tuple(fc.constantFrom(...SHAPES), tie('tree'), tie('tree'))
        .map(([shape, one, other]) =>
          shape.replace('@', () => one).replace(/#(?! c)/, () => other),
        ),
    ),
  }));
  const texts = [...new Set(fc.sample(tree, { numRuns: 400, seed: 3 }))];
  const trace = join(folder, 'trace');
  // One bash for all; each text in one of its own below it, so that none ends the others.
  const env = { PATH: `${folder}:/usr/bin:/bin`, RM_TRACE: trace };
  const script =
    'for text in "$@"; do : > "$RM_TRACE"; timeout 5 bash -c "$text" </dev/null >/dev/null 2>&1; if [ -s "$RM_TRACE" ]; then echo ran; else echo not; fi; done';
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', ...texts], {
    env,
    cwd: folder,
    encoding: 'utf8',
  });
  const ran = stdout.trim().split('\n');
  assert.equal(ran.length, texts.length);
  assert.ok(ran.filter((one) => one === 'ran').length > 50);
  for (const [index, text] of texts.entries()) {
    if (ran[index] !== 'ran') continue;
    assert.notEqual(possiblyRuns(['rm'], text).fits, 'no', JSON.stringify(text));
  }
});

test('a command that is nested without end is asked for, and breaks nothing', () => {
  const rules = [command('deny', 'rm'), rule('allow', { toolName: 'exec.bash' })];
  for (const part of [
    '$(',
    '<(',
    '${x:-',
    '"$(',
    '`',
    '$"',
    '(',
    '{ ',
    'sh -c "',
    'env ',
    '((',
    "$'",
  ]) {
    const text = part.repeat(20_000);
    assert.equal(actionOn(rules, bash(`echo ${text.slice(0, 60_000)}`)), expectedFor(part), part);
    assert.equal(actionOn(rules, bash(`rm x; ${text.slice(0, 60_000)}`)), 'deny', part);
  }
});

/** Words are no doubt, and neither are quotes of which every second one closes; all others are never closed. */
const expectedFor = (part: string): string =>
  ['env ', '{ ', '`', "$'"].includes(part) ? 'allow' : 'ask';

test('P2 a rule that asks for one command does not cover another one beside it', () => {
  const rules = [
    command('ask', 'git push'),
    command('deny', 'rm'),
    command('deny', 'sudo'),
    command('deny', 'git'),
    command('allow', 'sh -c'),
  ];
  const clicked = [
    { provider: 'exec', operation: 'bash', action: 'allow', reason: 'clicked' } as const,
  ];
  const { policy } = compilePolicy(rules);
  const on = (text: string): PolicyAction => decide(policy, bash(text), clicked).action;
  assert.equal(on('git push origin'), 'allow', 'asked for, and a person has allowed it');
  assert.equal(decide(policy, bash('git push origin')).action, 'ask');
  for (const text of [
    'git push; rm x',
    'rm x && git push',
    'git push "$(rm x)"',
    'sudo git push',
    'git push; git fetch',
    "sh -c 'rm x'",
  ]) {
    assert.equal(on(text), 'deny', text);
  }
  assert.equal(on("sh -c 'ls'"), 'allow');
  const fewer = compilePolicy(rules.filter(({ name }) => name !== 'deny git')).policy;
  assert.equal(decide(fewer, bash('git push; ls'), clicked).action, 'allow');
  assert.equal(
    decide(fewer, bash('git push; $x'), clicked).action,
    'ask',
    'what may be denied is asked for, whatever was clicked',
  );
});

test('POL-03 globs that are written differently and can match the same path conflict', () => {
  const conflict = (one: string, other: string): boolean => {
    try {
      compilePolicy([onPath('allow', one), onPath('deny', other)]);
      return false;
    } catch (error) {
      assert.match(String(error), /POL-03/);
      return true;
    }
  };
  assert.ok(conflict('./a/**', 'a/bc*'));
  assert.ok(conflict('/w/src/**', 'src/abc*'));
  assert.ok(!conflict('src/**', 'lib/**'));
});

test('of rules of one rank that meet in one call the stricter decides, wherever it stands', () => {
  const rules = [onPath('ask', 'src/**'), onPath('deny', 'lib/**')];
  for (const one of [rules, rules.toReversed()]) {
    const subject = { ...edit('x', '/work'), arguments: { path: ['src/a', 'lib/b'] } };
    assert.equal(actionOn(one, subject), 'deny');
  }
});
