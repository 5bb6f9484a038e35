// Configuration files of both languages, good and bad, on disk.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ConfigAttribute } from '@tenon/protocol';
import { tempDir } from '@tenon/test-support';
import { appendAlwaysRule } from '../policy/always.js';
import { durationMs } from './duration.js';
import { ConfigError } from './error.js';
import { configFromObject, loadConfig } from './load.js';
import type { ProviderConfig } from './model.js';
import { decodeSettings } from './settings.js';

const GOOD = `
# Comment
provider "files" {
  command   = ["node", "./provider.js", "--flag"]
  env       = { MODE = "x-\${path.module}", "QUOTED KEY" : "a\\tb\\"c\\u00e9" }
  env_allow = ["TOKEN"]
  timeouts  = { read_file = "1m30s" }
  config {
    roots = ["."]
    limit = -1.5e3
    deep  = { on = true, none = null }
    text  = <<-EOT
      hello \${env("NO_SUCH_VARIABLE", "there")} you
        indented $\${literal}
    EOT
  }
}
provider "other" {
  command = "/usr/bin/other"
  tls     = "off"
}
dev_overrides {
  other = ["./other.sh"]
}
policy "edits" {
  match  = { tool_name = "edit_file", args = { path = "src/**", command = { prefix = "git  status" } } }
  action = "ask"
  reason = "look"
}
policy "rest" {
  match { kind = "resource" }
  action = "deny"
}
hook "audit" {
  point    = "post_tool_call"
  mode     = "observe"
  provider = "files"
  timeout  = 500
}
kernel {
  default_timeout = "2m"
  journal         = "log/j.db"
  retry { max_attempts = 5 }
  breaker { cooldown = "1s" }
  bounds { max_turns = 10 }
}
`;

async function problemsOf(work: Promise<unknown>): Promise<string[]> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message.split('\n');
  }
  return [];
}

test('an agent.hcl is read with all its parts, relative to its folder', async (t) => {
  const folder = tempDir(t);
  const file = join(folder, 'agent.hcl');
  writeFileSync(file, GOOD);
  mkdirSync(join(folder, 'sub', 'deep'), { recursive: true });
  const config = await loadConfig(undefined, { cwd: join(folder, 'sub', 'deep') });
  assert.equal(config.path, file);
  const [files, other] = config.providers;
  assert.ok(files?.launch.type === 'command' && other?.launch.type === 'command');
  assert.equal(files.launch.command, 'node');
  assert.deepEqual(files.launch.args, [join(folder, 'provider.js'), '--flag']);
  assert.deepEqual(files.launch.env, { MODE: `x-${folder}`, 'QUOTED KEY': 'a\tb"cé' });
  assert.deepEqual(files.timeoutsMs, { read_file: 90_000 });
  assert.deepEqual(files.settings, {
    roots: ['.'],
    limit: -1500,
    deep: { on: true, none: null },
    text: 'hello there you\n  indented ${literal}\n',
  });
  assert.equal(other.launch.command, join(folder, 'other.sh'));
  assert.equal(other.launch.tls, 'off');
  assert.deepEqual([files.dev, other.dev], [false, true]);
  assert.deepEqual(config.policies[0]?.match.args, {
    path: { type: 'glob', pattern: 'src/**' },
    command: { type: 'command_prefix', words: ['git', 'status'] },
  });
  assert.equal(config.policies[1]?.location?.line, 30);
  assert.equal(config.hooks[0]?.timeoutMs, 500);
  assert.equal(config.settings.defaultTimeoutMs, 120_000);
  assert.equal(config.settings.retry.maxAttempts, 5);
  assert.equal(config.settings.journalPath, join(folder, 'log', 'j.db'));
  assert.equal(config.alwaysPath, join(folder, 'agent.always.hcl'));
});

test('the same structure as JSON, and as an object', async (t) => {
  const folder = tempDir(t);
  const document = {
    provider: {
      files: { command: ['node', './p.js'], config: { text: '${not a template} \u00fc' } },
    },
    policy: { all: { match: { provider: 'files' }, action: 'allow' } },
  };
  writeFileSync(join(folder, 'agent.json'), JSON.stringify(document, undefined, 2));
  const fromFile = await loadConfig(join(folder, 'agent.json'));
  const fromObject = configFromObject(document, { folder });
  assert.deepEqual(fromFile.providers[0]?.settings, { text: '${not a template} ü' });
  assert.deepEqual(fromFile.providers[0]?.launch, fromObject.providers[0]?.launch);
  assert.equal(fromFile.providers[0]?.locations.get('/text')?.line, 9);
  assert.equal(fromObject.settings.journalPath, ':memory:');
});

test('every problem is told at once, with its place', async (t) => {
  const file = join(tempDir(t), 'agent.hcl');
  writeFileSync(
    file,
    `provder "x" { command = "a" }
provider "files" {
  comand = ["node"]
  tls = "maybe"
  timeouts = { read = "soon" }
  env = { A = 1 }
}
provider "1bad" { command = [] }
policy "p" {
  match = { risk = "hgh" }
  action = "alow"
}
hook "h" { point = "nowhere" }
kernel { doom_loop_threshold = 9, default_timeout = "1 day" }
`.replace(', default', '\n  default'),
  );
  const text = (await problemsOf(loadConfig(file))).join('\n');
  for (const expected of [
    /agent\.hcl:1:\d+: .*provder is not known here; did you mean provider\?/,
    /agent\.hcl:3:\d+: .*comand is not known here; did you mean command\?/,
    /command is missing/,
    /tls must be one of mutual, off/,
    /read must be a duration .* "soon"/,
    /env\.A must be a text/,
    /a name begins with a letter/,
    /did you mean "high"/,
    /did you mean "allow"/,
    /point must be one of/,
    /mode is missing/,
    /doom_loop_threshold must be a whole number from 3 up to 5/,
    /\^/,
  ]) {
    assert.match(text, expected);
  }
});

test('syntax errors have line and column, in both languages', async (t) => {
  const folder = tempDir(t);
  const at = async (name: string, text: string): Promise<string> => {
    writeFileSync(join(folder, name), text);
    return (await problemsOf(loadConfig(join(folder, name)))).join('\n');
  };
  assert.match(await at('a.hcl', 'provider "x" {\n  command = ["a",\n}\n'), /a\.hcl:\d+:\d+: /);
  assert.match(await at('b.hcl', 'kernel {\n'), /b\.hcl:\d+:\d+: .*missing/);
  assert.match(await at('c.hcl', 'kernel { journal = what }'), /c\.hcl:1:\d+: what is not known/);
  assert.match(
    await at('d.hcl', 'kernel { journal = env("NO_SUCH") }'),
    /the environment has no NO_SUCH/,
  );
  assert.match(await at('e.hcl', 'kernel { journal = 1 + 2 }'), /nothing is calculated/);
  assert.match(
    await at('f.hcl', 'kernel { journal_chunk_cap = 9007199254740993 }'),
    /9007199254740993/,
  );
  assert.match(await at('g.hcl', 'kernel {}\nkernel {}\n'), /kernel is set twice; first on line 1/);
  assert.match(await at('h.hcl', 'a = "\\q"'), /h\.hcl:1:\d+: /);
  assert.match(await at('i.json', '{"kernel": {'), /i\.json:1:\d+/);
  assert.match(await at('j.json', '[]'), /JSON object/);
  assert.match(await at('k.json', '{"kernel": 1, "kernel": 2}'), /k\.json/);
  assert.match(await at('l.hcl', 'a\0b'), /NUL/);
  writeFileSync(join(folder, 'm.hcl'), Buffer.from([0xff, 0xfe, 0x41]));
  assert.match((await problemsOf(loadConfig(join(folder, 'm.hcl')))).join(), /not UTF-8/);
  assert.match((await problemsOf(loadConfig(join(folder, 'none.hcl')))).join(), /tenon init/);
  assert.match((await problemsOf(loadConfig(folder))).join(), /folder/);
  assert.match((await problemsOf(loadConfig(undefined, { cwd: '/' }))).join(), /tenon init/);
});

test('POL-03 POL-06 conflicts of policies are load errors, empty matches are warnings', async (t) => {
  const file = join(tempDir(t), 'agent.hcl');
  writeFileSync(
    file,
    'policy "a" {\n  match = { provider = "x" }\n  action = "allow"\n}\npolicy "b" {\n  match = { provider = "x" }\n  action = "deny"\n}\n',
  );
  const text = (await problemsOf(loadConfig(file))).join('\n');
  assert.match(text, /"a" and "b" .*agent\.hcl:1 and .*agent\.hcl:5/);
  writeFileSync(file, 'policy "a" {\n  action = "deny"\n}\n');
  assert.match((await loadConfig(file)).warnings[0]?.message ?? '', /matches every call/);
});

test('GATE-07 a decision for always is a readable rule that is loaded again', async (t) => {
  const folder = tempDir(t);
  const file = join(folder, 'agent.hcl');
  writeFileSync(file, 'policy "p" {\n  match = { tool_name = "x.edit" }\n  action = "ask"\n}\n');
  const path = join(folder, 'agent.always.hcl');
  const rule = {
    name: 'always-x-edit',
    match: { toolName: 'x.edit' },
    action: 'allow',
    reason: 'said "so" ${here}',
  } as const;
  await Promise.all([appendAlwaysRule(path, rule), appendAlwaysRule(path, rule)]);
  await appendAlwaysRule(path, { ...rule, name: 'always-x-other', match: { toolName: 'x.other' } });
  const { alwaysRules, policies } = await loadConfig(file);
  assert.deepEqual(
    alwaysRules?.map(({ name, match, reason }) => [name, match.toolName, reason]),
    [
      ['always-x-edit', 'x.edit', 'said "so" ${here}'],
      ['always-x-other', 'x.other', 'said "so" ${here}'],
    ],
  );
  assert.equal(policies.length, 1);
  await assert.rejects(
    appendAlwaysRule(join(folder, 'no', 'such', 'folder.hcl'), rule),
    /could not be written/,
  );
  await assert.rejects(appendAlwaysRule(folder, rule), /not a file/);
});

test('GATE-07 what a person wrote into the file of decisions is never lost or overruled', async (t) => {
  const folder = tempDir(t);
  const path = join(folder, 'agent.always.hcl');
  const config = join(folder, 'agent.hcl');
  writeFileSync(config, '');
  const rule = { name: 'always-x-run', match: { toolName: 'x.run' }, action: 'allow' } as const;
  const args = {
    command: { type: 'command_prefix', words: ['git', 'status'] },
    path: { type: 'glob', pattern: 'src/${x}/**' },
  } as const;

  const narrow = { ...rule, match: { ...rule.match, args } };
  await appendAlwaysRule(path, narrow);
  assert.deepEqual((await loadConfig(config)).alwaysRules?.[0]?.match, narrow.match);
  const before = readFileSync(path, 'utf8');
  await appendAlwaysRule(path, { ...narrow, name: 'another-name', reason: 'again' });
  assert.equal(readFileSync(path, 'utf8'), before, 'the same rule twice is one');
  await assert.rejects(appendAlwaysRule(path, rule), /"always-x-run" on line 4 already/);
  assert.equal(readFileSync(path, 'utf8'), before);

  writeFileSync(path, '# policy "always-x-run" {\n# }\n');
  await appendAlwaysRule(path, rule);
  assert.deepEqual((await loadConfig(config)).alwaysRules?.[0]?.match, rule.match);

  writeFileSync(path, 'policy "broken" {\n');
  await assert.rejects(appendAlwaysRule(path, rule), /could not be written.*missing/s);
  assert.equal(readFileSync(path, 'utf8'), 'policy "broken" {\n');
});

test('CFG-01 CFG-02 settings are decoded against the schema of the provider', async (t) => {
  const file = join(tempDir(t), 'agent.hcl');
  const attribute = (name: string, more: Partial<ConfigAttribute>): ConfigAttribute => ({
    name,
    type: 'string',
    required: false,
    sensitive: false,
    description: '',
    attributes: [],
    ...more,
  });
  const attributes = [
    attribute('token', { required: true, sensitive: true }),
    attribute('roots', { type: 'list_string', default: ['.'] }),
    attribute('count', { type: 'number' }),
    attribute('login', {
      type: 'object',
      sensitive: true,
      attributes: [attribute('pin', { type: 'list_string' })],
    }),
    attribute('inner', { type: 'object', attributes: [attribute('key', { required: true })] }),
  ];
  const provider = async (block: string): Promise<ProviderConfig> => {
    writeFileSync(file, `provider "x" {\n  command = "x"\n  config {\n${block}\n  }\n}\n`);
    const [read] = (await loadConfig(file)).providers;
    assert.ok(read);
    return read;
  };
  const good = decodeSettings(attributes, await provider('token = "s3cret"'));
  assert.deepEqual(good, {
    config: { token: 's3cret', roots: ['.'] },
    sensitiveValues: ['s3cret'],
  });
  const bad = await provider('tokn = "s3cret"\ncount = "many"\nroots = [1]\ninner {\n}');
  try {
    decodeSettings(attributes, bad);
    assert.fail('it was accepted');
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.match(error.message, /agent\.hcl:4:\d+: .*tokn is no setting .*did you mean token/);
    assert.match(error.message, /token is required and missing/);
    assert.match(error.message, /agent\.hcl:5:\d+: .*count must be a number/);
    assert.match(error.message, /roots must be a list of texts/);
    assert.match(error.message, /key is required/);
    assert.equal(error.problems.length, 5);
  }
  const secret = await provider('token = "s3cret"\nlogin {\npin = "hunter2"\n}');
  assert.throws(
    () => decodeSettings(attributes, secret),
    (error: ConfigError) =>
      /pin must be a list/.test(error.message) && !/hunter2/.test(error.message),
  );
});

test('durations', () => {
  const cases: [unknown, number | undefined][] = [
    ['500ms', 500],
    ['1.5s', 1_500],
    ['1h30m', 5_400_000],
    [250, 250],
    ['0s', 0],
    ['1d', undefined],
    ['', undefined],
    ['-1s', undefined],
    ['600h', undefined],
    [-1, undefined],
    [null, undefined],
  ];
  for (const [given, expected] of cases) assert.equal(durationMs(given), expected, String(given));
});
