// `tenon policy explain`: what the policy says about one call, and why: the rule that wins, and for every
// other one why it does not.
import type { Command } from 'commander';
import { compilePolicy, decide, mismatch } from '@tenon/kernel';
import type { PolicyMatch, PolicyRule, PolicySubject, PolicyVerdict } from '@tenon/kernel';
import type { RenderNode, TextStyle } from '@tenon/protocol';
import { earlyOptions, readOperationWords } from '../arguments/operation-words.js';
import type { Context } from '../context.js';
import { EXIT } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { findOperation, providerOf } from '../kernel/listing.js';
import { readConfig, withKernel, workingDirectory } from '../kernel/open.js';
import type { KernelOptionValues } from '../options.js';
import { paint } from '../paint/paint.js';

interface Options extends KernelOptionValues {
  readonly json?: boolean;
}

/** How one rule stands to a call. */
export interface RuleStanding {
  readonly rule: PolicyRule;
  readonly standing: 'decides' | 'does not match' | 'is less specific';
  readonly why: string;
}

export async function run(
  context: Context,
  operation: string,
  words: readonly string[],
  before: Options,
  command: Command,
): Promise<ExitCode> {
  const { terminal } = context;
  const start = providerOf(operation);
  const config = await readConfig(context, earlyOptions(before, words), start);
  return withKernel(context, config, { start: [start] }, async (kernel) => {
    const listing = findOperation(kernel, operation);
    const read = await readOperationWords(listing, words, before, command, terminal.stdin);
    const subject: PolicySubject = {
      provider: listing.provider,
      operation: listing.operation.name,
      kind: listing.operation.kind,
      risk: listing.operation.risk,
      arguments: read.args,
      workingDirectory: workingDirectory(read.options),
    };
    const { policy } = compilePolicy(config.policies, config.alwaysRules);
    const verdict = decide(policy, subject);
    const standings = policy.rules.map((rule) => standingOf(rule, verdict, subject));
    if (read.options.json === true) {
      terminal.stdout.write(
        `${JSON.stringify({ subject, verdict, rules: standings }, undefined, 2)}\n`,
      );
      return EXIT.ok;
    }
    const root = explanation(subject, verdict, standings);
    terminal.stdout.write(paint({ root }, { width: terminal.width(), color: terminal.outColor }));
    return EXIT.ok;
  });
}

function standingOf(
  rule: PolicyRule,
  verdict: PolicyVerdict,
  subject: PolicySubject,
): RuleStanding {
  if (verdict.rule === rule) {
    return {
      rule,
      standing: 'decides',
      why: 'it matches, and no rule that matches is more specific',
    };
  }
  const why = mismatch(rule.match, subject, rule.action);
  if (why !== undefined) return { rule, standing: 'does not match', why };
  const winner = verdict.rule === undefined ? '' : ` than "${verdict.rule.name}"`;
  return {
    rule,
    standing: 'is less specific',
    why: `it matches, but is less specific${winner} (tool_name > provider > risk > kind)`,
  };
}

const VERDICT_STYLE: Readonly<Record<PolicyVerdict['action'], TextStyle>> = {
  allow: 'success',
  ask: 'warning',
  deny: 'error',
};

function explanation(
  subject: PolicySubject,
  verdict: PolicyVerdict,
  standings: readonly RuleStanding[],
): RenderNode {
  const name = `${subject.provider}.${subject.operation}`;
  return {
    type: 'group',
    children: [
      text(
        `${name} (${subject.kind}, risk ${subject.risk}): ${verdict.action}`,
        VERDICT_STYLE[verdict.action],
      ),
      text(`decided by ${verdict.decidedBy}: ${verdict.reason}`),
      text(''),
      standings.length === 0
        ? text('There are no rules: the default applies.', 'dim')
        : { type: 'list', ordered: true, items: standings.map(standingNode) },
    ],
  };
}

function standingNode({ rule, standing, why }: RuleStanding): RenderNode {
  const { location } = rule;
  const place = location === undefined ? '' : `  ${baseName(location.file)}:${location.line}`;
  const line = `"${rule.name}" (${rule.action}) ${standing}: ${why}`;
  return {
    type: 'group',
    children: [
      standing === 'decides' ? text(line, 'bold') : text(line),
      text(`${matchText(rule.match)}${place}`, 'dim'),
    ],
  };
}

/** A match as one line, such as `provider=exec args.command=git status`. */
export function matchText(match: PolicyMatch): string {
  const parts = [
    ...(match.toolName === undefined ? [] : [`tool_name=${match.toolName}`]),
    ...(match.provider === undefined ? [] : [`provider=${match.provider}`]),
    ...(match.risk === undefined ? [] : [`risk=${match.risk}`]),
    ...(match.kind === undefined ? [] : [`kind=${match.kind}`]),
    ...Object.entries(match.args ?? {}).map(([argument, pattern]) =>
      pattern.type === 'glob'
        ? `args.${argument}=${pattern.pattern}`
        : `args.${argument}=${pattern.words.join(' ')} …`,
    ),
  ];
  return parts.length === 0 ? 'everything' : parts.join(' ');
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

function text(content: string, style?: TextStyle): RenderNode {
  return style === undefined ? { type: 'text', content } : { type: 'text', content, style };
}
