// Wire compatibility message by message: the bytes of Go, of Python and of our own code decode to the same
// thing on every side and encode again to the same bytes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { equals, fromBinary, fromJson, toBinary } from '@bufbuild/protobuf';
import { makeCases, registry, serializeCases } from '../vectors/cases.mjs';
import { tenonVectors } from '../vectors/tenon.mjs';
import { goProgram, interopPath, python } from './peers.mjs';

const types = await registry();
const read = (name) => readFileSync(interopPath('vectors', name), 'utf8');
const cases = JSON.parse(read('cases.json'));

// Field 19997, length-delimited, as no version of any message has it.
const UNKNOWN = Buffer.from([0xea, 0xe1, 0x09, 2, 0x68, 0x69]);

test('the cases cover every message of the .proto files as they are', () => {
  assert.equal(read('cases.json'), serializeCases(makeCases(types)));
});

test('our own bytes are those that are checked in', async () => {
  assert.equal(read('tenon.txt'), await tenonVectors());
});

for (const [peer, file] of [
  ['Go', 'go.txt'],
  ['Python', 'python.txt'],
]) {
  test(`every message that ${peer} encoded is understood and encodes to the same bytes`, () => {
    const lines = read(file).trimEnd().split('\n');
    assert.equal(lines.length, cases.length);
    for (const [index, one] of cases.entries()) {
      const [hex, ...name] = lines[index].split(' ');
      assert.equal(name.join(' '), one.name);
      const descriptor = types.getMessage(one.message);
      const bytes = Buffer.from(hex, 'hex');
      const decoded = fromBinary(descriptor, bytes);
      const expected = fromJson(descriptor, one.json, { registry: types });
      assert.ok(equals(descriptor, decoded, expected), one.name);
      assert.equal(Buffer.from(toBinary(descriptor, decoded)).toString('hex'), hex, one.name);
    }
  });

  test(`fields of a later version survive in what ${peer} encoded`, () => {
    const lines = read(file).trimEnd().split('\n');
    for (const [index, one] of cases.entries()) {
      const descriptor = types.getMessage(one.message);
      const bytes = Buffer.concat([Buffer.from(lines[index].split(' ')[0], 'hex'), UNKNOWN]);
      assert.deepEqual(Buffer.from(toBinary(descriptor, fromBinary(descriptor, bytes))), bytes);
    }
  });
}

test('Go makes the same bytes today, and understands ours', (t) => {
  const vectors = goProgram(t, 'vectors');
  if (vectors === undefined) return;
  const run = (...args) => execFileSync(vectors, args, { encoding: 'utf8' });
  const path = interopPath('vectors', 'cases.json');
  assert.equal(run('write', path), read('go.txt'));
  assert.match(run('check', path, interopPath('vectors', 'tenon.txt')), /messages agree/);
});

test('Python makes the same bytes today, and understands ours', (t) => {
  const interpreter = python(t);
  if (interpreter === undefined) return;
  const script = interopPath('python', 'vectors.py');
  const run = (...args) => execFileSync(interpreter, [script, ...args], { encoding: 'utf8' });
  const path = interopPath('vectors', 'cases.json');
  assert.equal(run('write', path), read('python.txt'));
  assert.match(run('check', path, interopPath('vectors', 'tenon.txt')), /messages agree/);
});
