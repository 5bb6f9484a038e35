// What the journal costs, and how fast it answers.
//   node bench/journal.mjs [ROUNDS] [EVENTS]
// Calls of a read with the journal in a file beside the same calls with one that keeps nothing; durable entries per
// second; the last 50 calls of a journal with a million entries, opened anew each time.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, DEFAULT_SETTINGS, openJournal } from '@tenon/kernel';
import { compare, FILESYSTEM, median, project, provider, row } from './lib/setup.mjs';

const rounds = Number(process.argv[2] ?? 7);
const events = Number(process.argv[3] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-journal-'));
try {
  await costOfCalls();
  await durableEntries();
  await largeJournal();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Accepts everything and keeps nothing. */
function noJournal() {
  let sequence = 0;
  const append = () => Promise.resolve((sequence += 1));
  return {
    append,
    appendDurably: append,
    calls: () => [],
    call: () => [],
    session: () => [],
    sessions: () => [],
    since: () => [],
    flush: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

async function costOfCalls() {
  const files = project();
  const open = async (name, journal) => {
    const config = {
      providers: [provider('filesystem', FILESYSTEM, { allowed_roots: [files.folder] })],
      policies: [],
      hooks: [],
      settings: DEFAULT_SETTINGS,
      warnings: [],
    };
    const kernel = await createKernel({ config, journal });
    const session = await kernel.openSession({ workingDirectory: files.folder });
    const one = async () => {
      const call = { name: 'filesystem.stat', arguments: { path: files.next() } };
      const outcome = await session.call(call);
      if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome));
    };
    return { name, one, close: () => kernel.close() };
  };
  const file = await openJournal(join(folder, 'calls.db'));
  const candidates = [await open('none', noJournal()), await open('file', file)];
  try {
    for (const inFlight of [1, 32]) {
      const rates = await compare(candidates, { rounds, calls: 1_500, inFlight });
      const [none, kept] = [rates.get('none'), rates.get('file')];
      row(`reads without journal, ${inFlight} in flight`, none, 'calls/s');
      row(`reads with journal, ${inFlight} in flight`, kept, 'calls/s');
      row(`cost, ${inFlight} in flight`, (none / kept - 1) * 100, '% of a call', 'wanted: < 15');
    }
  } finally {
    for (const { close } of candidates) await close();
    await file.close();
    files.close();
  }
}

async function durableEntries() {
  const journal = await openJournal(join(folder, 'durable.db'));
  const entry = (n) => ({ type: 'session_ended', sessionId: `s${n}`, status: 'ok' });
  const count = 500;
  const started = performance.now();
  for (let n = 0; n < count; n += 1) await journal.appendDurably(entry(n));
  row('durable entries, one after the other', count / ((performance.now() - started) / 1000), '/s');
  await journal.close();
}

async function largeJournal() {
  const path = join(folder, 'large.db');
  const journal = await openJournal(path);
  const started = performance.now();
  const calls = Math.round(events / 7);
  for (let n = 0; n < calls; n += 1) {
    writeCall(journal, n);
    if (n % 500 === 0) await journal.flush();
  }
  await journal.close();
  row('entries written', (calls * 7) / ((performance.now() - started) / 1000), '/s');
  row('size of the file', statSync(path).size / 1e6, 'MB');
  const last50 = async (filter) => {
    const begin = performance.now();
    const reader = await openJournal(path, { readOnly: true });
    const found = reader.calls({ ...filter, limit: 50 });
    await reader.close();
    if (found.length === 0) throw new Error('nothing found');
    return performance.now() - begin;
  };
  const questions = {
    'last 50 calls': {},
    'last 50 that failed': { status: 'error' },
    'last 50 of a provider': { provider: 'files' },
    'those without an outcome': { status: 'outcome_unknown' },
  };
  for (const [name, filter] of Object.entries(questions)) {
    const times = [];
    for (let n = 0; n < 9; n += 1) times.push(await last50(filter));
    row(`${name}, of ${calls * 7} entries`, median(times), 'ms', 'wanted: < 200');
  }
}

/** A resource call as a kernel journals it: seven entries. One in a thousand failed, one in ten thousand has no end. */
function writeCall(journal, n) {
  const sessionId = `session-${Math.floor(n / 100)}`;
  const [turnId, callId] = [`turn-${n}`, `call-${n}`];
  const what = { provider: n % 2 === 0 ? 'files' : 'exec', operation: 'run', kind: 'resource' };
  const args = { path: `src/file-${n}.ts`, text: 'x'.repeat(80) };
  const add = (entry) => void journal.append({ sessionId, ...entry });
  if (n % 100 === 0) {
    add({ type: 'session_started', workingDirectory: '/', profile: '', kernelPid: 2 ** 22 + 1 });
  }
  add({
    type: 'call_requested',
    turnId,
    callId,
    index: 0,
    name: `${what.provider}.run`,
    ...what,
    risk: 'moderate',
    arguments: args,
  });
  const decision = { action: 'allow', decidedBy: 'policy:all', reason: 'allowed', scope: 'once' };
  add({ type: 'decision', turnId, callId, ...decision, downgraded: false });
  add({ type: 'intent', turnId, callId, arguments: args, idempotent: false });
  const started = { attempt: 1, providerVersion: '1.0.0', deadlineMs: 1_000, lockKeys: [] };
  add({ type: 'attempt_started', callId, ...started });
  add({ type: 'event', callId, attempt: 1, event: { type: 'progress', message: 'half' } });
  add({ type: 'attempt_ended', callId, attempt: 1, status: 'ok' });
  if (n % 10_000 === 0) return;
  const error = { category: 'execution_failed', message: 'it failed', retryable: false };
  const end = n % 1_000 === 1 ? { status: 'error', error } : { status: 'ok', payload: { n } };
  const base = { callId, ...what, arguments: args, attempts: 1, durationMs: 3, partial: [] };
  add({ type: 'outcome', turnId, outcome: { ...base, ...end } });
}
