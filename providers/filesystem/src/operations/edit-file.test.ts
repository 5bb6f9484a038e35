import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { JsonObject } from '@tenon/provider';
import fc from 'fast-check';
import { textOf, workspace } from '../testing/workspace.js';

async function edited(
  t: Parameters<typeof workspace>[0],
  before: string | Buffer,
  args: JsonObject,
) {
  const w = await workspace(t);
  writeFileSync(w.path('f'), before);
  const result = await w.call('edit_file', { path: 'f', ...args });
  return { result, bytes: readFileSync(w.path('f')) };
}

test('F1: old with LF matches a CRLF file, which keeps its line ends', async (t) => {
  const { bytes } = await edited(t, 'a\r\nb\r\nc\r\n', { old: 'a\nb', new: 'a\nB' });
  assert.equal(bytes.toString(), 'a\r\nB\r\nc\r\n');
});

test('F1: lines that are added to a CRLF file end with CRLF', async (t) => {
  const { bytes } = await edited(t, 'a\r\nb\r\n', { old: 'b', new: 'b\nc\nd' });
  assert.equal(bytes.toString(), 'a\r\nb\r\nc\r\nd\r\n');
});

test('F1: an LF file never gains a CR', async (t) => {
  const { bytes } = await edited(t, 'a\nb\nc\n', { old: 'a\r\nb', new: 'a\r\nB\r\nx' });
  assert.equal(bytes.toString(), 'a\nB\nx\nc\n');
});

test('F2: in a file of mixed line ends every other byte stays', async (t) => {
  const { bytes } = await edited(t, 'one\r\ntwo\nthree\r\n', { old: 'two', new: '2' });
  assert.equal(bytes.toString(), 'one\r\n2\nthree\r\n');
});

test('F2: line ends inside of the match stay each as they were', async (t) => {
  const { bytes } = await edited(t, 'one\r\ntwo\nthree\r\nfour', {
    old: 'one\ntwo\nthree\n',
    new: '1\n2\n3\n',
  });
  assert.equal(bytes.toString(), '1\r\n2\n3\r\nfour');
});

test('F3: bytes that are no UTF-8 stay', async (t) => {
  const before = Buffer.from('636166e9206f6b0a', 'hex');
  const { bytes } = await edited(t, before, { old: 'ok', new: 'fine' });
  assert.equal(bytes.toString('hex'), '636166e92066696e650a');
});

test('F3: what such a file cannot hold is refused, and it stays', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), Buffer.from('636166e9206f6b0a', 'hex'));
  const error = await w.error('edit_file', { path: 'f', old: 'ok', new: '日本' });
  assert.equal(error.category, 'invalid_arguments');
  assert.equal(readFileSync(w.path('f')).toString('hex'), '636166e9206f6b0a');
});

test('F3: UTF-16 and marks stay, also a file that is cut inside of a character', async (t) => {
  const le = Buffer.from('\ufeffgrüß ok\r\n', 'utf16le');
  const cut = Buffer.concat([le, Buffer.from([0x41])]);
  const edit = { old: 'ok', new: '€' };
  const first = await edited(t, cut, edit);
  const wanted = Buffer.concat([Buffer.from('\ufeffgrüß €\r\n', 'utf16le'), Buffer.from([0x41])]);
  assert.deepEqual(first.bytes, wanted);
  const be = await edited(t, Buffer.from(le).swap16(), edit);
  assert.deepEqual(be.bytes, Buffer.from('\ufeffgrüß €\r\n', 'utf16le').swap16());
  const bom = await edited(t, '\ufeffgrüß ok\r\n', edit);
  assert.equal(bom.bytes.toString(), '\ufeffgrüß €\r\n');
});

test('F4: line numbers that were copied along are taken away, and it is said', async (t) => {
  const before = 'one\nfoo\nbar\n';
  const { bytes, result } = await edited(t, before, {
    old: '   2: foo\n   3: bar',
    new: '   2: FOO\n   3: BAR',
  });
  assert.equal(bytes.toString(), 'one\nFOO\nBAR\n');
  assert.match(textOf(result['notice']), /line numbers/);
  const plain = await edited(t, before, { old: '  2: foo', new: 'FOO' });
  assert.equal(plain.bytes.toString(), 'one\nFOO\nbar\n');
});

test('F4: a file that really holds such text matches as it is', async (t) => {
  const { bytes, result } = await edited(t, '  12: foo\nfoo\n', { old: '  12: foo', new: 'x' });
  assert.equal(bytes.toString(), 'x\nfoo\n');
  assert.equal(result['notice'], undefined);
});

test('F5: three occurrences are refused with their lines; replace_all replaces three', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'x\nfoo\ny\nfoo\nfoo\n');
  const args = { path: 'f', old: 'foo', new: 'bar' };
  const error = await w.error('edit_file', args);
  assert.equal(error.category, 'execution_failed');
  assert.match(error.message, /3 times in "f", on lines 2, 4, 5/);
  assert.deepEqual(error.details?.['lines'], [2, 4, 5]);
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'x\nfoo\ny\nfoo\nfoo\n');
  const done = await w.call('edit_file', { ...args, replace_all: true });
  assert.equal(done['replacements'], 3);
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'x\nbar\ny\nbar\nbar\n');
});

test('F5: an overlap is ambiguous too', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'aaa');
  assert.match((await w.error('edit_file', { path: 'f', old: 'aa', new: 'b' })).message, /2 times/);
  await w.call('edit_file', { path: 'f', old: 'aa', new: 'b', replace_all: true });
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'ba');
});

test('F5: a text that is not there: the nearest lines are named', async (t) => {
  const w = await workspace(t);
  writeFileSync(
    w.path('f'),
    'function one() {\n\treturn 1;\n}\n\nfunction two() {\n\treturn 2;\n}\n',
  );
  const spaced = await w.error('edit_file', {
    path: 'f',
    old: 'function two() {\n  return 2;\n}',
    new: '',
  });
  assert.match(spaced.message, /line 5 \(white space differs\)/);
  const similar = await w.error('edit_file', { path: 'f', old: 'function too() {', new: '' });
  assert.match(similar.message, /line 5 \(similar\)/);
  const nothing = await w.error('edit_file', { path: 'f', old: 'zzzzzz', new: '' });
  assert.match(nothing.message, /nothing in the file is like it/);
});

test('F6: edits of one turn in parallel are all there, by whatever path', async (t) => {
  const w = await workspace(t);
  mkdirSync(w.path('d'));
  symlinkSync('.', w.path('here'));
  const lines = Array.from({ length: 100 }, (_, i) => String(i + 1));
  writeFileSync(w.path('f'), `${lines.join('\n')}\n`);
  const edits = [
    ['./f', '\n50\n', '\nFIFTY\n'],
    [w.path('f'), '\n75\n', '\nSEVENTY-FIVE\n'],
    ['here/f', '\n10\n', '\nTEN\n'],
    ['d/../f', '\n20\n', '\nTWENTY\n'],
    ['here/here/f', '\n30\n', '\nTHIRTY\n'],
    ['f', '\n90\n', '\nNINETY\n'],
  ] as const;
  await Promise.all(
    edits.map(([path, old, next]) => w.call('edit_file', { path, old, new: next })),
  );
  const after = readFileSync(w.path('f'), 'utf8').split('\n');
  for (const word of ['FIFTY', 'SEVENTY-FIVE', 'TEN', 'TWENTY', 'THIRTY', 'NINETY']) {
    assert.ok(after.includes(word), word);
  }
  assert.equal(after.length, 101);
});

test('F7: an edit of a file that changed since it was read says so; with a hash it is refused', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'one\ntwo\n');
  const { hash } = await w.call('read_file', { path: 'f' });
  writeFileSync(w.path('f'), 'one\ntwo\nthree\n');
  const args = { path: 'f', old: 'two', new: '2' };
  const error = await w.error('edit_file', { ...args, expected_hash: textOf(hash) });
  assert.match(error.message, /has changed since/);
  assert.match(
    textOf((await w.call('edit_file', args))['notice']),
    /had changed since it was read/,
  );
});

test('an empty old, no difference, a binary file, a missing file', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'x');
  writeFileSync(w.path('b'), Buffer.from([1, 0, 2]));
  const edit = (path: string, old: string, next: string) =>
    w.error('edit_file', { path, old, new: next });
  assert.equal((await edit('f', '', 'y')).category, 'invalid_arguments');
  assert.equal((await edit('f', 'x', 'x')).category, 'invalid_arguments');
  assert.match((await edit('b', 'x', 'y')).message, /binary/);
  assert.equal((await edit('none', 'x', 'y')).category, 'not_found');
});

test('an edit replaces what is named and nothing else, whatever the file is', async () => {
  const { editText } = await import('../text/edit.js');
  const piece = fc.constantFrom('a', 'b', 'ab', '\n', '\r\n', ' ', '1: ', '\r');
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }),
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      (file, wanted) => {
        const text = file.join('');
        const result = editText(text, { old: wanted.join(''), new: 'Z', replaceAll: true });
        if (result.type !== 'edited') return;
        // What is around the replacements is the text itself, in its order.
        let from = 0;
        for (const kept of result.text.split('Z')) {
          const at = text.indexOf(kept, from);
          assert.notEqual(at, -1);
          from = at + kept.length;
        }
        assert.equal(result.text.split('Z').length - 1, result.lines.length);
      },
    ),
  );
});
