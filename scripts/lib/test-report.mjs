// Turns the events of node:test's run() into a short report: a line per file as it ends, failures in full,
// the reasons of skips, and the count as the last line. Pure but for the stream it writes to.
import { relative } from 'node:path';
import { inspect } from 'node:util';

const KEPT_OUTPUT_CHARS = 8_000;

/**
 * @param {{ root: string, out: { write(text: string): unknown } }} options paths are shown relative to root
 * @returns {{ event(type: string, data: any): void, end(): boolean }} `end` prints the summary and says
 *   whether everything passed
 */
export function createReport({ root, out }) {
  const passed = [];
  const failures = [];
  const skips = [];
  const perFile = new Map();

  const fileOf = (path) => {
    const known = perFile.get(path);
    if (known !== undefined) return known;
    const made = { passed: 0, failed: 0, skipped: 0, output: '', trail: [] };
    perFile.set(path, made);
    return made;
  };
  const label = (path) => relative(root, path);

  function failed(data, what) {
    const file = fileOf(data.file);
    file.failed += 1;
    failures.push({ file: data.file, what });
    const error = data.details?.error;
    const cause = error?.cause ?? error;
    const text = typeof cause === 'string' ? cause : inspect(cause, { depth: 4 });
    out.write(`\n✖ ${what}\n  ${label(data.file)}${data.line ? `:${data.line}` : ''}\n`);
    out.write(`${indent(text)}\n`);
    if (file.output !== '') {
      out.write(`  what the file printed last:\n${indent(file.output)}\n`);
      file.output = '';
    }
    out.write('\n');
  }

  function ended(type, data) {
    const file = fileOf(data.file);
    // Names of the tests around this one, by nesting depth.
    file.trail.length = data.nesting;
    const what = [...file.trail, data.name].join(' › ');
    file.trail[data.nesting] = data.name;
    // The file itself appears as a test when it has none inside, or when it failed outside of them.
    if (data.name === data.file) {
      const error =
        type === 'test:pass'
          ? 'The file declares no test.'
          : `The process of this file ended with ${exitOf(data)}.`;
      failed({ ...data, details: { error } }, label(data.file));
      return;
    }
    const isSuite = data.details?.type === 'suite';
    if (type === 'test:fail' && data.todo === undefined) {
      // A parent that failed by its children alone would be counted twice.
      if (data.details?.error?.failureType !== 'subtestsFailed') failed(data, what);
    } else if (isSuite && data.skip === undefined) {
      return;
    } else if (data.skip !== undefined || data.todo !== undefined) {
      file.skipped += 1;
      const given = data.skip ?? data.todo;
      const reason = typeof given === 'string' && given !== '' ? given : 'no reason given';
      skips.push({ what: `${label(data.file)}: ${what}`, reason });
    } else {
      file.passed += 1;
      passed.push(what);
    }
  }

  return {
    event(type, data) {
      if (type === 'test:start') {
        const { trail } = fileOf(data.file);
        trail.length = data.nesting;
        trail[data.nesting] = data.name;
      } else if (type === 'test:pass' || type === 'test:fail') {
        ended(type, data);
      } else if (type === 'test:stdout' || type === 'test:stderr') {
        const file = fileOf(data.file);
        file.output = (file.output + data.message).slice(-KEPT_OUTPUT_CHARS);
      } else if (type === 'test:complete' && data.name === data.file) {
        const seconds = (data.details?.duration_ms ?? 0) / 1000;
        const mark =
          data.details?.error === undefined && data.details?.passed !== false ? '✔' : '✖';
        out.write(`${mark} ${label(data.file)} (${seconds.toFixed(1)} s)\n`);
      }
    },
    end() {
      if (skips.length > 0) {
        out.write('\nSkipped:\n');
        for (const { what, reason } of skips) out.write(`  ${what}: ${reason}\n`);
      }
      if (failures.length > 0) {
        out.write('\nFailed:\n');
        for (const { file, what } of failures) out.write(`  ${label(file)}: ${what}\n`);
      }
      const skipped = skips.length > 0 ? `, ${skips.length} skipped` : '';
      out.write(`\n${passed.length} passed, ${failures.length} failed${skipped}\n`);
      return failures.length === 0;
    },
  };
}

function exitOf(data) {
  const error = data.details?.error;
  if (error?.failureType === 'testTimeoutFailure') return `a timeout: ${error.message}`;
  if (error?.signal) return `signal ${error.signal}`;
  if (error?.exitCode !== undefined) return `exit code ${error.exitCode}`;
  return String(error?.message ?? 'an error');
}

function indent(text) {
  return text.trimEnd().replaceAll(/^/gm, '    ');
}
