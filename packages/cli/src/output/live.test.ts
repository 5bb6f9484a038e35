import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import type { KernelEvent } from '@tenon/kernel';
import { createStyler } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import { createJsonEvents } from './json-events.js';
import { createLiveDisplay } from './live.js';
import { payloadTree } from './payload.js';
import { progressLine } from './progress.js';
import { paint } from '../paint/paint.js';

interface Captured {
  readonly terminal: Terminal;
  readonly out: () => Buffer;
  readonly err: () => string;
}

/** A terminal, or two pipes, that keep what is written to them. */
function capture(isTTY: boolean): Captured {
  const streams = [0, 1].map(() => {
    const chunks: Buffer[] = [];
    const stream = new PassThrough();
    stream.on('data', (data: Buffer) => chunks.push(data));
    return { stream: Object.assign(stream, { isTTY }), read: () => Buffer.concat(chunks) };
  });
  const [out, err] = streams;
  assert.ok(out !== undefined && err !== undefined);
  const plain = createStyler(false);
  const terminal = {
    stdin: process.stdin,
    stdout: out.stream as unknown as NodeJS.WriteStream,
    stderr: err.stream as unknown as NodeJS.WriteStream,
    interactive: false,
    out: plain,
    err: plain,
    outColor: false,
    errColor: false,
    width: () => 60,
    height: () => 24,
  };
  return { terminal, out: out.read, err: () => err.read().toString() };
}

function chunk(
  data: Uint8Array,
  stream: 'stdout' | 'stderr' = 'stdout',
  callId = 'c',
): KernelEvent {
  return { type: 'call_event', callId, event: { type: 'output_chunk', stream, data } };
}

const euro = Buffer.from('€');

test('EVT-05 a pipe gets the bytes exactly, each stream on its own', async () => {
  const { terminal, out, err } = capture(false);
  const live = createLiveDisplay(terminal, { verbose: false, labels: false });
  const bytes = Buffer.from([0xff, 0x00, 0x1b, 0x5b]);
  await live.observer(chunk(bytes));
  await live.observer(chunk(euro.subarray(0, 1)));
  await live.observer(chunk(Buffer.from('oops\n'), 'stderr'));
  await live.observer(chunk(euro.subarray(1)));
  live.end();
  assert.deepEqual(out(), Buffer.concat([bytes, euro]));
  assert.equal(err(), 'oops\n');
  assert.equal(live.shown('c')[0]?.endsWith('€'), true);
});

test('E5 a terminal gets one character from the pieces of it, and no escape sequence but colours', async () => {
  const { terminal, out } = capture(true);
  const live = createLiveDisplay(terminal, { verbose: false, labels: false });
  await live.observer(chunk(euro.subarray(0, 2)));
  await live.observer(chunk(euro.subarray(2)));
  await live.observer(chunk(Buffer.from('\u001b[2J\u001b[31mred')));
  live.end();
  assert.equal(out().toString(), '€␛[2J\u001b[31mred');
});

test('several calls are told apart line by line', async () => {
  const { terminal, out } = capture(true);
  const live = createLiveDisplay(terminal, { verbose: false, labels: true });
  for (const [callId, operation] of [
    ['c1', 'one'],
    ['c2', 'two'],
  ] as const) {
    await live.observer({
      type: 'call_started',
      callId,
      provider: 'p',
      operation,
      kind: 'resource',
    });
  }
  await live.observer(chunk(Buffer.from('a'), 'stdout', 'c1'));
  await live.observer(chunk(Buffer.from('x\ny\n'), 'stdout', 'c2'));
  await live.observer(chunk(Buffer.from('b\nrest'), 'stdout', 'c1'));
  live.end();
  assert.equal(out().toString(), '[p.two] x\n[p.two] y\n[p.one] ab\n[p.one] rest\n');
});

test('EVT-07 while a person is asked a provider waits; then its output goes on in order', async () => {
  const { terminal, out } = capture(false);
  const live = createLiveDisplay(terminal, { verbose: false, labels: false });
  live.pause();
  const first = live.observer(chunk(Buffer.from('1')));
  const second = live.observer(chunk(Buffer.from('2')));
  assert.equal(out().length, 0);
  live.resume();
  await Promise.all([first, second]);
  assert.equal(out().toString(), '12');
});

test('progress is a bar in one line that is gone when something else is written', async () => {
  const { terminal, err } = capture(true);
  const live = createLiveDisplay(terminal, { verbose: false, labels: false });
  const progress = { type: 'progress', message: 'half\u001b[2J', fraction: 0.5 } as const;
  await live.observer({ type: 'call_event', callId: 'c', event: progress });
  await live.observer({ type: 'log', provider: 'p', level: 'warn', message: 'careful' });
  live.end();
  assert.equal(
    err(),
    `\r\u001b[2K${'█'.repeat(12)}${'░'.repeat(12)}  50% half␛[2J\r\u001b[2Kp warn: careful\n`,
  );
  assert.ok(progressLine('x'.repeat(200), 0.1, 40, createStyler(false)).length < 40);
});

test('without a terminal there is no progress line', async () => {
  const { terminal, err } = capture(false);
  const live = createLiveDisplay(terminal, { verbose: false, labels: false });
  const progress = { type: 'progress', message: 'half', fraction: 0.5 } as const;
  await live.observer({ type: 'call_event', callId: 'c', event: progress });
  live.end();
  assert.equal(err(), '');
});

test('--json has one object per line: bytes in base64, text whole, nothing that a terminal obeys', async () => {
  const { terminal, out } = capture(false);
  const json = createJsonEvents(terminal.stdout);
  await json.observer(chunk(euro.subarray(0, 1)));
  await json.observer(chunk(euro.subarray(1)));
  await json.observer({ type: 'log', provider: 'p', level: 'info', message: 'a\n\u009b\u2028' });
  const lines = out().toString().trimEnd().split('\n');
  assert.equal(lines.length, 3);
  const events = lines.map(
    (line) => JSON.parse(line) as { event: { base64: string; text: string } },
  );
  const bytes = events.slice(0, 2).map(({ event }) => Buffer.from(event.base64, 'base64'));
  assert.equal(Buffer.concat(bytes).toString(), '€');
  assert.equal(events[0]?.event.text, '');
  assert.equal(events[1]?.event.text, '€');
  assert.doesNotMatch(lines[2] ?? '', /[\u0080-\u009f\u2028]/);
});

test('a result shows every field, and says where a text stands that was shown already', () => {
  const shown = 'line 1\nline 2\n';
  const text = paint(
    payloadTree(
      {
        path: '/a',
        stdout: shown,
        other: 'x\ny',
        entries: [
          { name: 'a', size: 1 },
          { name: 'b', size: 2 },
        ],
        tags: ['t1', 't2'],
        none: [],
        deep: { a: { b: 1 } },
      },
      [shown],
    ),
    { width: 60, color: false },
  );
  assert.equal(
    text,
    [
      'path: /a',
      'none: []',
      'stdout:',
      '(shown above)',
      'other:',
      '│ x',
      '│ y',
      'entries:',
      'name  size',
      'a     1',
      'b     2',
      'tags:',
      '• t1',
      '• t2',
      'deep:',
      '│ {',
      '│   "a": {',
      '│     "b": 1',
      '│   }',
      '│ }',
      '',
    ].join('\n'),
  );
});
