import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { test } from 'node:test';
import { openFds } from '@tenon/test-support';
import { textOf, workspace } from '../testing/workspace.js';

test('read_file numbers its lines, and says how the file is', async (t) => {
  const w = await workspace(t);
  const bytes = 'one\ntwo\nthree\n';
  writeFileSync(w.path('f'), bytes);
  assert.deepEqual(await w.call('read_file', { path: 'f' }), {
    path: w.path('f'),
    content: '   1: one\n   2: two\n   3: three',
    encoding: 'utf-8',
    line_ending: 'lf',
    first_line: 1,
    last_line: 3,
    total_lines: 3,
    size: bytes.length,
    hash: createHash('sha256').update(bytes).digest('hex'),
  });
});

test('read_file gives ranges, and says how to go on', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), Array.from({ length: 5_000 }, (_, i) => `line ${i + 1}\r\n`).join(''));
  const middle = await w.call('read_file', { path: 'f', offset: 2_500, limit: 2, numbered: false });
  assert.equal(middle['content'], 'line 2500\nline 2501');
  assert.equal(middle['line_ending'], 'crlf');
  assert.match(textOf(middle['notice']), /Lines 2500 to 2501 of 5000; go on with offset 2502/);
  const first = await w.call('read_file', { path: 'f' });
  assert.equal(first['last_line'], 2_000);
  const beyond = await w.call('read_file', { path: 'f', offset: 9_999 });
  assert.match(textOf(beyond['notice']), /has 5000 lines; line 9999 is beyond/);
  const wrong = await w.error('read_file', { path: 'f', offset: 0 });
  assert.equal(wrong.category, 'invalid_arguments');
});

test('read_file cuts long lines, and never inside of a character', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), `${'x'.repeat(1_999)}😀tail\nnext\n`);
  const { content, notice } = await w.call('read_file', { path: 'f', numbered: false });
  assert.match(textOf(content), /^x{1999}… \(6 more characters\)\nnext$/);
  assert.match(textOf(notice), /1 of the lines are cut/);
});

test('F9: a 300 MB log is read in flat memory, its beginning and its end', async (t) => {
  const w = await workspace(t);
  const out = createWriteStream(w.path('log'));
  const block = Buffer.from(`${'0123456789'.repeat(9)}abcdefghi\n`.repeat(10_000));
  for (let i = 0; i < 300; i++) if (!out.write(block)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
  const before = process.memoryUsage().rss;
  const head = await w.call('read_file', { path: 'log', limit: 3 });
  assert.equal(head['size'], 300_000_000);
  assert.equal(head['last_line'], 3);
  assert.match(textOf(head['notice']), /go on with offset 4/);
  const end = await w.call('read_file', { path: 'log', offset: 2_999_999 });
  assert.equal(end['last_line'], 3_000_000);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 150 * 1024 * 1024, `memory grew by ${grown}`);
});

test('F9: a PNG is named, not shown', async (t) => {
  const w = await workspace(t);
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  writeFileSync(w.path('p.png'), png);
  const read = await w.call('read_file', { path: 'p.png' });
  assert.equal(read['encoding'], 'binary');
  assert.equal(read['content'], '');
  assert.match(textOf(read['notice']), /image\/png, 16 bytes/);
});

test('F9: UTF-16 and UTF-8 with a byte order mark are text', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('le'), Buffer.from('\ufeffgrüß\r\n€\r\n', 'utf16le'));
  writeFileSync(w.path('be'), Buffer.from('\ufeffgrüß\r\n€\r\n', 'utf16le').swap16());
  writeFileSync(w.path('u8'), '\ufeffgrüß\r\n€\r\n');
  for (const [path, encoding] of [
    ['le', 'utf-16le'],
    ['be', 'utf-16be'],
    ['u8', 'utf-8-bom'],
  ] as const) {
    const read = await w.call('read_file', { path, numbered: false });
    assert.equal(read['content'], 'grüß\n€');
    assert.equal(read['encoding'], encoding);
    assert.equal(read['line_ending'], 'crlf');
  }
});

test('F3, F9: what is no UTF-8 is shown, and said', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), Buffer.from('636166e9206f6b0a', 'hex'));
  const read = await w.call('read_file', { path: 'f', numbered: false });
  assert.equal(read['content'], 'café ok');
  assert.equal(read['encoding'], 'windows-1252');
});

test('F9: a UTF-8 character across the pieces that are read stays one', async (t) => {
  const w = await workspace(t);
  // Pieces are 256 KiB: the character begins one byte before their border.
  writeFileSync(w.path('f'), `${'x\n'.repeat(131_071)}x€ end\n`);
  const read = await w.call('read_file', { path: 'f', offset: 131_072, numbered: false });
  assert.equal(read['content'], 'x€ end');
  assert.equal(read['encoding'], 'utf-8');
});

test('F9: an empty file, a directory, a missing file', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('empty'), '');
  const empty = await w.call('read_file', { path: 'empty' });
  assert.equal(empty['content'], '');
  assert.equal(empty['total_lines'], 0);
  assert.match(textOf(empty['notice']), /empty/);
  const directory = await w.error('read_file', { path: '.' });
  assert.equal(directory.category, 'execution_failed');
  assert.match(directory.message, /is a directory; use list_directory/);
  assert.equal((await w.error('read_file', { path: 'none' })).category, 'not_found');
  assert.equal((await w.error('read_file', { path: 'empty/x' })).category, 'not_found');
});

test('F9: a FIFO does not hang, /dev/zero does not fill memory', async (t) => {
  const w = await workspace(t, { allowed_roots: ['.', '/dev'] });
  execFileSync('mkfifo', [w.path('fifo')]);
  const fifo = await w.error('read_file', { path: 'fifo' });
  assert.equal(fifo.category, 'execution_failed');
  assert.match(fifo.message, /is a pipe/);
  const zero = await w.error('read_file', { path: '/dev/zero' });
  assert.match(zero.message, /is a device/);
});

test('a file of /proc, whose size is said to be 0, is read', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const w = await workspace(t, { read_only_roots: ['/proc/sys'] });
  const read = await w.call('read_file', { path: '/proc/sys/kernel/ostype', numbered: false });
  assert.equal(read['content'], 'Linux');
});

test('CAN-02: a cancelled read ends, and leaves no descriptor', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), Buffer.alloc(80_000_000, 'x\n'));
  const before = openFds().length;
  const controller = new AbortController();
  const reading = w.events(
    'read_file',
    { path: 'f', offset: 39_999_999 },
    { signal: controller.signal },
  );
  setImmediate(() => controller.abort());
  const last = (await reading).at(-1);
  assert.ok(last?.type === 'error' && last.error.category === 'cancelled');
  assert.equal(openFds().length, before);
});
