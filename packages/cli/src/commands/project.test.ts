// The commands that work on a project with a configuration and a journal.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { requireTool, tempDir } from '@tenon/test-support';
import { inTerminal } from '../fixtures/in-terminal.js';
import { demoCommand, jsonLines, runTenon, startTenon, tenonBin } from '../fixtures/run-tenon.js';

/** A folder with a configuration for the demo provider, and more text for it. */
function project(t: TestContext, more = ''): string {
  const folder = tempDir(t);
  const command = demoCommand.map((word) => JSON.stringify(word)).join(', ');
  writeFileSync(
    join(folder, 'agent.hcl'),
    `provider "demo" {\n  command = [${command}]\n}\n${more}\n`,
  );
  return folder;
}

const appendWords = ['demo.append', '--path', 'f.txt', '--line', 'x'];

test('init writes a configuration that loads, with every bundled provider, and never over another one', async (t) => {
  const cwd = tempDir(t);
  mkdirSync(join(cwd, '.git'));
  const made = await runTenon(['init'], { cwd });
  assert.equal(made.code, 0, made.stderr);
  assert.match(readFileSync(join(cwd, '.gitignore'), 'utf8'), /^\.agent\/journal\*$/m);
  const listed = await runTenon(['operations', '--json'], { cwd });
  assert.equal(listed.code, 0, listed.stderr);
  const providers = new Set(jsonLines(listed.stdout).map((line) => line['provider']));
  assert.deepEqual([...providers].map(String).toSorted(), [
    'exec',
    'filesystem',
    'search',
    'task',
    'user',
    'web',
  ]);
  const again = await runTenon(['init'], { cwd });
  assert.equal(again.code, 2);
  assert.match(again.stderr, /exists already/);
});

test('operations and describe say what a provider declares', async (t) => {
  const cwd = project(t);
  const table = await runTenon(['operations'], { cwd, env: { COLUMNS: '140' } });
  assert.match(table.stdout, /^demo\.append +resource +moderate +60 s +Adds a line to a file\.$/m);
  const list = await runTenon(['operations'], { cwd, env: { COLUMNS: '80' } });
  assert.match(
    list.stdout,
    /demo\.append {2}\(resource, moderate, 60 s\)\n {2}Adds a line to a file\.\n/,
  );
  const described = await runTenon(['describe', 'demo.append'], { cwd });
  assert.equal(described.code, 0);
  assert.match(described.stdout, /calls with the same path run one after the other/);
  assert.match(described.stdout, /^path +text +yes/m);
  const provider = await runTenon(['describe', 'demo'], { cwd });
  assert.match(provider.stdout, /version: 1\.0\.0/);
  assert.equal((await runTenon(['describe', 'demo.nothing'], { cwd })).code, 2);
});

test('a broken configuration ends with 2 and lists every problem with its line', async (t) => {
  const cwd = tempDir(t);
  writeFileSync(
    join(cwd, 'agent.hcl'),
    'provider "a" {\n  comand = ["node"]\n}\npolicy "p" {\n  action = "maybe"\n}\nnonsense {}\n',
  );
  for (const words of [['operations'], ['call', 'a.b'], ['log'], ['policy', 'test']]) {
    const { code, stderr } = await runTenon(words, { cwd });
    assert.equal(code, 2, words.join(' '));
    for (const expected of [/agent\.hcl:2:/, /agent\.hcl:5:/, /agent\.hcl:7:/])
      assert.match(stderr, expected);
  }
});

test('POL-03 policies that conflict end with 2 and name both lines', async (t) => {
  const rule = (name: string, action: string): string =>
    `policy "${name}" {\n  match = { tool_name = "append" }\n  action = "${action}"\n}\n`;
  const cwd = project(t, rule('one', 'allow') + rule('two', 'deny'));
  const { code, stderr } = await runTenon(['policy', 'test'], { cwd });
  assert.equal(code, 2);
  assert.match(stderr, /"one" and "two"/);
  assert.match(stderr, /agent\.hcl:4 and .*agent\.hcl:8/);
});

test('log, show, replay and export tell what ran, who decided, and how it ended', async (t) => {
  const cwd = project(t);
  assert.equal((await runTenon(['log'], { cwd })).code, 2);
  await runTenon(['call', 'demo.echo', '--text', 'first'], { cwd });
  await runTenon(['call', ...appendWords], { cwd });
  await runTenon(['call', ...appendWords, '--yes'], { cwd });
  await runTenon(['call', 'demo.missing'], { cwd });

  const log = await runTenon(['log'], { cwd, env: { COLUMNS: '220' } });
  assert.equal(log.code, 0, log.stderr);
  const lines = log.stdout.trimEnd().split('\n');
  assert.equal(lines.length, 5);
  assert.match(lines[1] ?? '', /demo\.echo +ok +default/);
  assert.match(lines[2] ?? '', /demo\.append +denied +no-terminal/);
  assert.match(lines[3] ?? '', /demo\.append +ok +flag:--yes/);
  assert.match(lines[4] ?? '', /demo\.missing +not_found +default .*there is no such thing␛/);

  const filtered = await runTenon(
    ['log', '--operation', 'demo.append', '--status', 'ok', '--json'],
    { cwd },
  );
  const [call] = jsonLines(filtered.stdout);
  assert.equal(jsonLines(filtered.stdout).length, 1);
  assert.equal((await runTenon(['log', '--status', 'fine'], { cwd })).code, 2);
  const newest = await runTenon(['log', '-n', '1', '--since', '1h', '--json'], { cwd });
  assert.equal(jsonLines(newest.stdout)[0]?.['operation'], 'missing');

  const id = String(call?.['callId']);
  const shown = await runTenon(['show', id.slice(-8)], { cwd });
  assert.equal(shown.code, 0, shown.stderr);
  for (const expected of [
    /"line": "x"/,
    /planned: demo\.append/,
    /\+ x/,
    /allowed by flag:--yes/,
    /about to run/,
    /ok \(/,
  ]) {
    assert.match(shown.stdout, expected);
  }
  assert.equal((await runTenon(['show', 'ZZZZZZ'], { cwd })).code, 2);

  const sessions = jsonLines((await runTenon(['log', '--sessions', '--json'], { cwd })).stdout);
  assert.equal(sessions.length, 4);
  const replayed = await runTenon(['replay', String(call?.['sessionId'])], { cwd });
  assert.equal(replayed.code, 0, replayed.stderr);
  assert.match(replayed.stdout, /session ended: completed/);
  assert.equal(readFileSync(join(cwd, 'f.txt'), 'utf8'), 'x\n');

  const exported = jsonLines((await runTenon(['export'], { cwd })).stdout);
  const one = jsonLines((await runTenon(['export', String(call?.['sessionId'])], { cwd })).stdout);
  assert.ok(exported.length > one.length && one.length > 5);
  assert.deepEqual(
    one,
    exported.filter((entry) => entry['sessionId'] === call?.['sessionId']),
  );
});

test('log --follow goes on with calls of other processes as they end', async (t) => {
  const cwd = project(t);
  await runTenon(['call', 'demo.echo', '--text', 'before'], { cwd });
  const { child, ended } = startTenon(['log', '--follow', '--json'], { cwd });
  let seen = '';
  const second = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.split('\n').length > 2) resolve();
    });
  });
  const first = await runTenon(['call', 'demo.missing'], { cwd });
  assert.equal(first.code, 1);
  await second;
  child.kill('SIGINT');
  assert.equal((await ended).code, 0);
  assert.deepEqual(
    jsonLines(seen).map((line) => line['operation']),
    ['echo', 'missing'],
  );
});

test('policy explain names the rule that decides, and why the others do not', async (t) => {
  const cwd = project(
    t,
    `policy "texts" {
      match  = { tool_name = "demo.append", args = { path = "*.txt" } }
      action = "allow"
    }
    policy "risky" {
      match  = { risk = "moderate" }
      action = "deny"
      reason = "too risky"
    }
    policy "nowhere" {
      match  = { provider = "elsewhere" }
      action = "deny"
    }`,
  );
  const explain = (
    path: string,
  ): Promise<{ stdout: string; stderr: string; code: number | null }> =>
    runTenon(['policy', 'explain', 'demo.append', '--path', path, '--line', 'x'], { cwd });
  const allowed = await explain('a.txt');
  assert.match(allowed.stdout, /demo\.append \(resource, risk moderate\): allow/, allowed.stderr);
  assert.match(allowed.stdout, /"texts" \(allow\) decides/);
  assert.match(allowed.stdout, /"risky" \(deny\) is less specific/);
  const denied = await explain('a.md');
  assert.match(denied.stdout, /: deny\ndecided by policy:risky: too risky/);
  assert.match(denied.stdout, /"texts" \(allow\) does not match/);
  assert.match(
    denied.stdout,
    /"nowhere" \(deny\) does not match: it is for the provider elsewhere/,
  );

  const tested = await runTenon(['policy', 'test'], { cwd });
  assert.equal(tested.code, 0);
  assert.match(tested.stdout, /demo\.append +deny +policy:risky/);
  assert.match(tested.stderr, /"nowhere" .* fits no operation/);
  writeFileSync(
    join(cwd, 'cases.json'),
    JSON.stringify([
      { name: 'demo.append', arguments: { path: 'a.txt', line: '' }, expect: 'allow' },
      { name: 'demo.append', arguments: { path: 'a.md', line: '' }, expect: 'ask' },
    ]),
  );
  const cases = await runTenon(['policy', 'test', 'cases.json'], { cwd });
  assert.equal(cases.code, 1);
  assert.match(cases.stdout, /a\.txt.* allow +policy:texts +✔ allow/);
  assert.match(cases.stdout, /a\.md.* deny +policy:risky +✖ ask/);
});

test('GATE-07 always is written down, and decides the next time', async (t) => {
  if (!requireTool(t, 'script')) return;
  const cwd = project(t);
  const terminal = inTerminal(t, [tenonBin, 'call', ...appendWords], { cwd });
  await terminal.expect('> ');
  terminal.type('a\n');
  assert.equal(await terminal.exit(), 0);
  assert.match(readFileSync(join(cwd, 'agent.always.hcl'), 'utf8'), /append/);
  const { code, stderr } = await runTenon(['call', ...appendWords], { cwd });
  assert.equal(code, 0, stderr);
});

test('quickstart without a terminal shows every step and leaves nothing', async (t) => {
  const tmp = tempDir(t);
  const { code, stdout, stderr } = await runTenon(['quickstart'], { env: { TMPDIR: tmp } });
  assert.equal(code, 0, stdout + stderr);
  for (const expected of [
    /list_directory/,
    /\d: export function greet/,
    /execution_failed/,
    /no terminal to ask on, so the policy of this project allows/,
    /\+ {3}return 'Hello, ' \+ name \+ '!';/,
    /permission_denied/,
    /filesystem\.edit_file +ok +edits/,
    /tenon init/,
  ]) {
    assert.match(stdout, expected);
  }
  assert.deepEqual(readdirSync(tmp), []);
  assert.ok(!existsSync(join(tmpdir(), 'tenon-outside.txt')));
});

test('quickstart on a terminal asks before it edits, and does what is decided', async (t) => {
  if (!requireTool(t, 'script')) return;
  const tmp = tempDir(t);
  const terminal = inTerminal(t, [tenonBin, 'quickstart'], { env: { TMPDIR: tmp } });
  await terminal.expect('3. An edit that is ambiguous');
  await terminal.expect('\n> ');
  terminal.type('y\n');
  const screen = await terminal.expect('\n> ');
  assert.match(screen, /\+ {3}return 'Hello, ' \+ name \+ '!';/);
  terminal.type('y\n');
  assert.equal(await terminal.exit(), 0);
  assert.match(terminal.text(), /filesystem\.edit_file +ok +user/);
  const [folder] = readdirSync(tmp).filter((name) => name.startsWith('tenon-quickstart-'));
  assert.match(readFileSync(join(tmp, folder ?? '', 'src', 'greet.js'), 'utf8'), /name \+ '!'/);
});

test('lock writes checksums; a program that changed is refused, and --check says so', async (t) => {
  const cwd = tempDir(t);
  const program = join(cwd, 'provider.mjs');
  writeFileSync(program, `#!/usr/bin/env node\nimport ${JSON.stringify(demoCommand[1])};\n`, {
    mode: 0o755,
  });
  writeFileSync(
    join(cwd, 'agent.hcl'),
    'provider "demo" {\n  command = ["node", "./provider.mjs"]\n}\n',
  );
  assert.equal((await runTenon(['lock', '--check'], { cwd })).code, 2);
  const locked = await runTenon(['lock'], { cwd });
  assert.equal(locked.code, 0, locked.stderr);
  assert.match(locked.stdout, /demo +1\.0\.0 .*new/);
  assert.equal((await runTenon(['lock', '--check'], { cwd })).code, 0);
  assert.equal((await runTenon(['call', 'demo.echo'], { cwd })).code, 0);

  const trace = join(cwd, 'it-ran');
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(trace)}, '');\n`,
  );
  const checked = await runTenon(['lock', '--check'], { cwd });
  assert.equal(checked.code, 1);
  assert.match(checked.stderr, /not what was locked/);
  const called = await runTenon(['call', 'demo.echo'], { cwd });
  assert.equal(called.code, 2);
  assert.match(called.stderr, /not what was locked/);
  assert.ok(!existsSync(trace));
});

test('prune removes old sessions, and says beforehand which', async (t) => {
  const cwd = project(t);
  for (const text of ['one', 'two', 'three'])
    await runTenon(['call', 'demo.echo', '--text', text], { cwd });
  assert.equal((await runTenon(['prune'], { cwd })).code, 2);
  const dry = await runTenon(['prune', '--keep', '1', '--dry-run'], { cwd });
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /Would remove 2 sessions/);
  assert.match((await runTenon(['prune', '--keep', '1'], { cwd })).stdout, /Removed 2 sessions/);
  assert.equal(jsonLines((await runTenon(['log', '--json'], { cwd })).stdout).length, 1);
  assert.match(
    (await runTenon(['prune', '--older-than', '1d'], { cwd })).stdout,
    /Removed 0 sessions/,
  );
});
