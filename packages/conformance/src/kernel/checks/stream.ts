// Group stream: what comes through the stream of a call, and what becomes of it (EVT, OUT, CAN, RND).
import type { Verdict } from '../../model/check.js';
import { footprint } from '../../probe/processes.js';
import type { Step } from '../adversary/script.js';
import { type Bench, verdictOf } from '../bench.js';
import type { KernelChecks } from './group.js';
import { call, OK, show, single } from './steps.js';

async function order(bench: Bench): Promise<Verdict> {
  await bench.start();
  const numbers = Array.from({ length: 200 }, (_, index) => `${index}\n`);
  const result = await single(
    bench,
    call('read', [[...numbers.map((text): Step => ({ do: 'chunk', text })), OK]]),
  );
  return verdictOf('a read that sends 200 numbered lines', [
    {
      expected: 'an observer that sees them in their order',
      holds: result.output === numbers.join(''),
      saw: `${result.output.length} characters: ${JSON.stringify(result.output.slice(0, 60))}`,
    },
  ]);
}

/** InvokeResponse bytes that are no event: an empty one, a fraction of 2, a field of the wrong type. */
const FAULTS: Readonly<Record<string, readonly Step[]>> = {
  'no end': [{ do: 'chunk', text: 'x' }],
  'two ends': [OK, OK],
  'an event after the end': [OK, { do: 'chunk', text: 'x' }],
  'a fraction of 2': [{ do: 'progress', fraction: 2 }, OK],
  'an event of no kind': [{ do: 'bytes', hex: '0a00' }, OK],
  'bytes that are no message': [{ do: 'bytes', hex: '0aff' }, OK],
};

async function broken(bench: Bench): Promise<Verdict> {
  await bench.start();
  const facts = [];
  for (const [what, steps] of Object.entries(FAULTS)) {
    const result = await single(bench, call('read', [steps], { token: what }));
    // What follows the first end may be too late to be seen; the call must not hang either way.
    const late = what === 'two ends' || what === 'an event after the end';
    facts.push({
      expected: `${what}: unknown`,
      holds: result.error?.category === 'unknown' || (late && result.status === 'ok'),
      saw: `${what}: ${show(result)}`,
    });
  }
  return verdictOf('streams with one fault each', facts);
}

const CHUNKS = 2_048;
const CHUNK_MIB = 64 / 1024;
const GROWTH_MIB = 96;

async function flood(bench: Bench): Promise<Verdict> {
  await bench.start();
  const before = footprint(bench.adapterPid)?.memory ?? 0;
  let highest = before;
  const timer = setInterval(() => {
    highest = Math.max(highest, footprint(bench.adapterPid)?.memory ?? 0);
  }, 50);
  const result = await single(bench, call('read', [[{ do: 'flood', chunks: CHUNKS }, OK]]));
  clearInterval(timer);
  const grown = Math.round((highest - before) / 1024 / 1024);
  return verdictOf(`a read that sends ${CHUNKS * CHUNK_MIB} MiB`, [
    {
      expected: `less than ${GROWTH_MIB} MiB more memory`,
      holds: grown < GROWTH_MIB,
      saw: `${grown} MiB`,
    },
    { expected: 'ok', holds: result.status === 'ok', saw: show(result) },
  ]);
}

const WRONG: Step = { do: 'result', payload: { n: 'MUST-NOT-BE-SEEN' } };

async function validated(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('read', [[WRONG]]));
  return verdictOf('a result whose n is a text where the schema says number', [
    { expected: 'no success', holds: result.status === 'error', saw: show(result) },
  ]);
}

async function hidden(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('read', [[WRONG]]));
  const seen = `${result.modelSees} ${JSON.stringify(result.payload ?? {})}`;
  return verdictOf('a result whose n is a text where the schema says number', [
    {
      expected: 'unknown',
      holds: result.error?.category === 'unknown',
      saw: show(result),
    },
    {
      expected: 'a payload that the model never sees',
      holds: !seen.includes('MUST-NOT-BE-SEEN'),
      saw: seen,
    },
  ]);
}

async function closed(bench: Bench): Promise<Verdict> {
  await bench.start();
  await single(bench, call('read', [[{ do: 'chunk', text: 'x' }, { do: 'wait' }]]), {
    cancelAfterMs: 300,
  });
  const seen = bench.witnessed().some(({ type }) => type === 'cancelled');
  return verdictOf('a turn that is cancelled while a read runs', [
    {
      expected: 'a provider that sees its stream closed',
      holds: seen,
      saw: seen ? 'closed' : 'nothing',
    },
  ]);
}

async function report(bench: Bench): Promise<Verdict> {
  await bench.start();
  const steps: readonly Step[] = [
    { do: 'partial', payload: { done: 'HALF-OF-IT' } },
    { do: 'wait' },
  ];
  await single(bench, call('change', [steps]), { cancelAfterMs: 600 });
  const { calls } = await bench.report();
  const recorded = calls.find(({ callId }) => callId === 'change')?.recorded ?? '';
  return verdictOf('a resource that reports a part and is then cancelled', [
    {
      expected: 'the part in the record of the call',
      holds: recorded.includes('HALF-OF-IT'),
      saw: recorded || 'nothing',
    },
  ]);
}

async function render(bench: Bench): Promise<Verdict> {
  await bench.start();
  const { text } = await bench.render({ colour: 'green', list: [1] });
  // Indented: more than one line, once escapes are undone.
  const lines = text.replaceAll('\\n', '\n').replaceAll('\\"', '"');
  return verdictOf('a payload of a provider without Render', [
    {
      expected: 'its JSON, indented',
      holds: lines.includes('"colour"') && lines.includes('green') && /\n\s+"/.test(lines),
      saw: lines,
    },
  ]);
}

export const stream: KernelChecks<'stream'> = {
  order,
  broken,
  flood,
  validated,
  hidden,
  closed,
  report,
  render,
};
