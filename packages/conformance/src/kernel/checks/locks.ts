// Group locks, and deadlines: what runs beside what, and for how long (CON, TMO).
import type { Verdict } from '../../model/check.js';
import { type Bench, type ScriptedCall, verdictOf } from '../bench.js';
import type { KernelChecks, KernelRun } from './group.js';
import { call, OK, show, single } from './steps.js';

const WORK = [[{ do: 'sleep', ms: 250 } as const, OK]];

const work = (operation: string, token: string, key?: string): ScriptedCall =>
  call(operation, WORK, { token, ...(key === undefined ? {} : { key }) });

/** Two calls of one turn must, or must not, run at the same time. */
function pair(
  did: string,
  first: ScriptedCall,
  second: ScriptedCall,
  together: boolean,
): KernelRun {
  return async (bench) => {
    await bench.start();
    const turn = await bench.turn([first, second]);
    const a = bench.interval(first.token);
    const b = bench.interval(second.token);
    const overlap = a !== undefined && b !== undefined && a[0] < b[1] && b[0] < a[1];
    const start = Math.min(a?.[0] ?? 0, b?.[0] ?? 0);
    const shown = [a, b].map((one) =>
      one === undefined ? 'not run' : `${one[0] - start}–${one[1] - start} ms`,
    );
    return verdictOf(did, [
      {
        expected: together ? 'both at the same time' : 'one after the other',
        holds: a !== undefined && b !== undefined && overlap === together,
        saw: `${shown.join(' and ')}; ${turn.results.map(show).join('; ')}`,
      },
    ]);
  };
}

export const locks: KernelChecks<'locks'> = {
  undeclared: pair(
    'a read without ConcurrencySpec and a safe read, in one turn',
    work('read_undeclared', 'a'),
    work('read', 'b'),
    false,
  ),
  alone: pair(
    'a read with safe = false and a safe read, in one turn',
    work('read_alone', 'a'),
    work('read', 'b'),
    false,
  ),
  same_key: pair(
    'two resources with the same key, in one turn',
    work('change_keyed', 'a', 'one'),
    work('change_keyed', 'b', 'one'),
    false,
  ),
  together: pair('two safe reads, in one turn', work('read', 'a'), work('read', 'b'), true),
  other_keys: pair(
    'two resources with different keys, in one turn',
    work('change_keyed', 'a', 'one'),
    work('change_keyed', 'b', 'two'),
    true,
  ),
};

async function operator(bench: Bench): Promise<Verdict> {
  await bench.start({ timeoutsMs: { read: 300, read_short: 5_000 } });
  const short = await single(bench, call('read', [[{ do: 'wait' }]]));
  const long = await single(bench, call('read_short', [[{ do: 'sleep', ms: 900 }, OK]]));
  await bench.stop();
  await bench.start();
  const own = await single(bench, call('read_short', [[{ do: 'wait' }]], { token: 'own' }));
  return verdictOf(
    'deadlines of the operator (300 ms and 5 s), and one of the operation (400 ms)',
    [
      {
        expected: 'the shorter one of the operator ends the call',
        holds: short.error?.category === 'timeout',
        saw: show(short),
      },
      {
        expected: 'the longer one of the operator lets it end',
        holds: long.status === 'ok',
        saw: show(long),
      },
      {
        expected: 'that of the operation, where the operator says nothing',
        holds: own.error?.category === 'timeout',
        saw: show(own),
      },
    ],
  );
}

const HELD_MS = 4_000;

async function deaf(bench: Bench): Promise<Verdict> {
  await bench.start();
  const turn = await bench.turn([
    call('read_short', [[{ do: 'deaf' }, { do: 'sleep', ms: 60_000 }, OK]]),
  ]);
  const took = Math.round(turn.tookMs);
  return verdictOf('a read with a deadline of 400 ms that ignores its end', [
    { expected: `a turn of less than ${HELD_MS} ms`, holds: took < HELD_MS, saw: `${took} ms` },
    {
      expected: 'timeout',
      holds: turn.results[0]?.error?.category === 'timeout',
      saw: turn.results.map(show).join('; '),
    },
  ]);
}

export const deadlines: KernelChecks<'deadlines'> = { operator, deaf };
