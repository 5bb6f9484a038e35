// From kill -9 to the outcome of the call, from its start again to the next outcome, and a thousand calls at once.
//   node bench/crashes.mjs [ROUNDS]
import { median, MISBEHAVING, openKernel, provider, row } from './lib/setup.mjs';

const rounds = Number(process.argv[2] ?? 15);
const kernel = await openKernel([provider('p', MISBEHAVING)], {
  breaker: { consecutive: 1e9, windowBad: 1e9, windowSize: 1, cooldownMs: 1 },
});
const session = await kernel.openSession();
const detected = [];
const recovered = [];
try {
  for (let i = 0; i < rounds; i++) {
    let started;
    const running = new Promise((resolve) => {
      started = resolve;
    });
    const call = session.call(
      { name: 'p.write', arguments: { script: '[{"chunk":"x"},{"hang":true}]', key: `c${i}` } },
      { observer: (event) => void (event.type === 'call_event' && started()) },
    );
    await running;
    const { pid } = kernel.providers()[0];
    const killed = performance.now();
    process.kill(pid, 'SIGKILL');
    const outcome = await call;
    detected.push(performance.now() - killed);
    if (outcome.error?.category !== 'process_crashed') throw new Error(JSON.stringify(outcome));
    const again = performance.now();
    await session.call({ name: 'p.read', arguments: { key: `r${i}` } });
    recovered.push(performance.now() - again);
  }
  row('kill -9 to outcome, median', median(detected), 'ms', 'wanted: under 50');
  row('kill -9 to outcome, slowest', Math.max(...detected), 'ms');
  row('next call, with a fresh process, median', median(recovered), 'ms');

  const calls = Array.from({ length: 1_000 }, (_, index) => ({
    name: 'p.read',
    arguments: { script: '[{"wait":200}]', key: `p${index}` },
  }));
  const started = performance.now();
  const { outcomes } = await session.runTurn(calls);
  const most = Math.max(...outcomes.map((outcome) => outcome.payload?.active ?? 0));
  row('1,000 parallel calls of 200 ms', performance.now() - started, 'ms');
  row('  of them at the same time', most, '');
  row('  of them well', outcomes.filter(({ status }) => status === 'ok').length, '');
} finally {
  await session.end();
  await kernel.close();
}
