// The Go and Python peers, built or found; a test whose peer cannot be had is skipped with the reason, and
// fails where CI=true.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireTool } from '@tenon/test-support';

const interop = fileURLToPath(new URL('..', import.meta.url));
const CI = process.env['CI'] === 'true';

function cannot(t, reason) {
  if (CI) throw new Error(reason);
  t.skip(reason);
  return undefined;
}

/** Path of a program of interop/go ('provider', 'host' or 'vectors'), built on first use; undefined: skipped. */
export function goProgram(t, name) {
  if (!requireTool(t, 'go')) return undefined;
  const binary = join(interop, 'go', 'bin', name);
  try {
    execFileSync('go', ['build', '-o', binary, `./${name}`], {
      cwd: join(interop, 'go'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    return cannot(t, `go build of interop/go/${name} failed: ${String(error.stderr ?? error)}`);
  }
  return binary;
}

/** Path of a Python that has the packages of interop/python/requirements.txt; undefined: skipped. */
export function python(t) {
  const own = join(interop, 'python', '.venv', 'bin', 'python');
  const candidate = process.env['TENON_PYTHON'] ?? (existsSync(own) ? own : 'python3');
  try {
    execFileSync(candidate, ['-c', 'import grpc, grpc_health, google.protobuf'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch {
    return cannot(
      t,
      `${candidate} lacks grpcio: python3 -m venv interop/python/.venv && ` +
        'interop/python/.venv/bin/pip install -r interop/python/requirements.txt',
    );
  }
  return candidate;
}

/** Path of a file below interop/. */
export const interopPath = (...names) => join(interop, ...names);

/** Path of a file of the workspace. */
export const rootPath = (...names) => join(interop, '..', ...names);
