// The kernel block of a configuration: times, retries, breaker, bounds, journal.
import { resolve } from 'node:path';
import type { ConfigProblem } from './error.js';
import {
  type Bounds,
  type BreakerSettings,
  DEFAULT_SETTINGS,
  type KernelSettings,
  type RetrySettings,
} from './model.js';
import { readTable } from './reader.js';
import type { ConfigTable } from './value.js';

export interface KernelBlockOptions {
  /** What a relative journal path is relative to. */
  readonly folder: string;
  /** Where the journal is unless the block says otherwise. */
  readonly journalPath: string;
  readonly problems: ConfigProblem[];
}

/** The settings; what the block does not say has its default. */
export function readKernelBlock(
  table: ConfigTable | undefined,
  options: KernelBlockOptions,
): KernelSettings {
  const defaults = { ...DEFAULT_SETTINGS, journalPath: options.journalPath };
  if (table === undefined) return defaults;
  const reader = readTable(table, 'kernel', options.problems);
  const ms = (key: string, fallback: number): number => reader.duration(key) ?? fallback;
  const journal = reader.string('journal');
  const settings: KernelSettings = {
    defaultTimeoutMs: ms('default_timeout', defaults.defaultTimeoutMs),
    previewTimeoutMs: ms('preview_timeout', defaults.previewTimeoutMs),
    hookTimeoutMs: ms('hook_timeout', defaults.hookTimeoutMs),
    cancelGraceMs: ms('cancel_grace', defaults.cancelGraceMs),
    startTimeoutMs: ms('start_timeout', defaults.startTimeoutMs),
    shutdownGraceMs: ms('shutdown_grace', defaults.shutdownGraceMs),
    pingIntervalMs: ms('ping_interval', defaults.pingIntervalMs),
    pingTimeoutMs: ms('ping_timeout', defaults.pingTimeoutMs),
    retry: retry(reader.block('retry'), options.problems),
    breaker: breaker(reader.block('breaker'), options.problems),
    doomLoopThreshold:
      reader.number('doom_loop_threshold', { min: 3, max: 5, whole: true }) ??
      defaults.doomLoopThreshold,
    bounds: bounds(reader.block('bounds'), options.problems),
    journalPath:
      journal === undefined || journal === ':memory:'
        ? (journal ?? defaults.journalPath)
        : resolve(options.folder, journal),
    journalChunkCapBytes:
      reader.number('journal_chunk_cap', { min: 0, whole: true }) ?? defaults.journalChunkCapBytes,
  };
  reader.finish();
  return settings;
}

function retry(table: ConfigTable | undefined, problems: ConfigProblem[]): RetrySettings {
  const defaults = DEFAULT_SETTINGS.retry;
  if (table === undefined) return defaults;
  const reader = readTable(table, 'kernel: retry', problems);
  const read: RetrySettings = {
    baseMs: reader.duration('base') ?? defaults.baseMs,
    factor: reader.number('factor', { min: 1, max: 100 }) ?? defaults.factor,
    jitter: reader.number('jitter', { min: 0, max: 1 }) ?? defaults.jitter,
    maxAttempts:
      reader.number('max_attempts', { min: 1, max: 100, whole: true }) ?? defaults.maxAttempts,
    maxTotalMs: reader.duration('max_total') ?? defaults.maxTotalMs,
  };
  reader.finish();
  return read;
}

function breaker(table: ConfigTable | undefined, problems: ConfigProblem[]): BreakerSettings {
  const defaults = DEFAULT_SETTINGS.breaker;
  if (table === undefined) return defaults;
  const reader = readTable(table, 'kernel: breaker', problems);
  const count = (key: string, fallback: number): number =>
    reader.number(key, { min: 1, max: 10_000, whole: true }) ?? fallback;
  const read: BreakerSettings = {
    consecutive: count('consecutive', defaults.consecutive),
    windowBad: count('window_bad', defaults.windowBad),
    windowSize: count('window_size', defaults.windowSize),
    cooldownMs: reader.duration('cooldown') ?? defaults.cooldownMs,
  };
  if (read.windowBad > read.windowSize) {
    reader.problem(
      `window_bad (${read.windowBad}) is more than window_size (${read.windowSize}), so it is never reached`,
    );
  }
  reader.finish();
  return read;
}

function bounds(table: ConfigTable | undefined, problems: ConfigProblem[]): Bounds {
  if (table === undefined) return {};
  const reader = readTable(table, 'kernel: bounds', problems);
  const maxTurns = reader.number('max_turns', { min: 1, whole: true });
  const wallClockMs = reader.duration('wall_clock');
  const costUsd = reader.number('cost_usd', { min: 0 });
  reader.finish();
  return {
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(wallClockMs === undefined ? {} : { wallClockMs }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}
