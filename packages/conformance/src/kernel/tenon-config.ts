// From the neutral start request to the configuration of our kernel.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePolicy, DEFAULT_SETTINGS, type KernelConfig, type PolicyRule } from '@tenon/kernel';
import type { HookPoint, OperationKind, Risk } from '@tenon/protocol';
import type { AdapterPolicy, AdapterProvider, StartRequest } from './protocol.js';

export function tenonConfig(request: StartRequest): KernelConfig {
  const { settings } = request;
  return {
    providers: request.providers.map(providerOf),
    policies: request.policies.map(ruleOf),
    hooks: request.hooks.map((hook) => ({ ...hook, point: hook.point as HookPoint })),
    settings: {
      ...DEFAULT_SETTINGS,
      defaultTimeoutMs: settings.defaultTimeoutMs,
      previewTimeoutMs: settings.previewTimeoutMs,
      cancelGraceMs: settings.cancelGraceMs,
      retry: { ...DEFAULT_SETTINGS.retry, baseMs: 5, maxAttempts: 2 },
      breaker: {
        ...DEFAULT_SETTINGS.breaker,
        consecutive: settings.breakerConsecutive,
        windowBad: settings.breakerConsecutive,
        windowSize: settings.breakerConsecutive * 2,
      },
    },
    ...lockOf(request),
    warnings: [],
  };
}

function providerOf(provider: AdapterProvider): KernelConfig['providers'][number] {
  return {
    name: provider.name,
    launch: {
      type: 'command',
      command: provider.command,
      args: provider.args,
      env: provider.env,
      envAllow: [],
      tls: 'mutual',
    },
    dev: provider.sha256 === undefined,
    settings: {},
    locations: new Map(),
    timeoutsMs: provider.timeoutsMs,
  };
}

function ruleOf({ match, ...rule }: AdapterPolicy): PolicyRule {
  return {
    ...rule,
    match: {
      ...(match.tool_name === undefined ? {} : { toolName: match.tool_name }),
      ...(match.provider === undefined ? {} : { provider: match.provider }),
      ...(match.risk === undefined ? {} : { risk: match.risk as Risk }),
      ...(match.kind === undefined ? {} : { kind: match.kind as OperationKind }),
    },
  };
}

/** What our config loader would warn of. */
export function warningsOf(request: StartRequest): string[] {
  return compilePolicy(request.policies.map(ruleOf)).warnings.map(({ message }) => message);
}

// A lock file that binds the program and its script to the checksum of the request.
function lockOf({ providers, workingDirectory }: StartRequest): { lockPath?: string } {
  const locked = providers.filter((one) => one.sha256 !== undefined);
  if (locked.length === 0) return {};
  const path = join(workingDirectory, 'agent.lock.hcl');
  const blocks = locked.map(
    ({ name, sha256 = '' }) => `provider "${name}" {
  source      = "tenon.dev/adversary"
  version     = "1.0.0"
  resolved_at = "2026-01-01T00:00:00.000Z"
  sha256 {
    ${process.platform}_${process.arch} = {
      "command" = "${sha256}"
      "argument 1" = "${sha256}"
    }
  }
}`,
  );
  writeFileSync(path, `lock_file_version = 1\n\n${blocks.join('\n\n')}\n`);
  return { lockPath: path };
}
