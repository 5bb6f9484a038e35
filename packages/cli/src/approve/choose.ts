// Who decides about what is asked: flags of the command first, then a person where there is a terminal,
// else nobody, which denies and says what would allow it.
import type { ApprovalRequest, Approver } from '@tenon/kernel';
import type { Terminal } from '../terminal/terminal.js';
import { createTerminalApprover } from './terminal-approver.js';

export interface ApprovalFlags {
  readonly yes?: boolean;
  readonly allow?: readonly string[];
}

export interface ChosenApprover extends Approver {
  /** Calls whose plan a person has seen on the approval screen. */
  readonly asked: ReadonlySet<string>;
}

/** The approver of a command. */
export function chooseApprover(
  terminal: Terminal,
  flags: ApprovalFlags,
  display: { pause(): void; resume(): void },
): ChosenApprover {
  const asked = new Set<string>();
  const person = terminal.interactive ? createTerminalApprover(terminal, display) : undefined;
  return {
    asked,
    decide(request, options) {
      const flag = allowedBy(flags, request);
      if (flag !== undefined) {
        return Promise.resolve({ action: 'allow', scope: 'once', by: `flag:${flag}` });
      }
      if (person !== undefined) {
        asked.add(request.item.callId);
        return person.decide(request, options);
      }
      return Promise.resolve({
        action: 'deny',
        scope: 'once',
        reason: nobodyToAsk(request),
        by: 'no-terminal',
      });
    },
    ...(person?.answer === undefined ? {} : { answer: person.answer.bind(person) }),
  };
}

function allowedBy(flags: ApprovalFlags, { item }: ApprovalRequest): string | undefined {
  if (flags.yes === true) return '--yes';
  const name = `${item.provider}.${item.operation}`;
  const pattern = flags.allow?.find((candidate) => matchesName(candidate, name));
  return pattern === undefined ? undefined : `--allow ${pattern}`;
}

/** Whether a pattern with `*` for any part names an operation; a pattern without a dot names a provider. */
export function matchesName(pattern: string, name: string): boolean {
  const whole = pattern.includes('.') || pattern === '*' ? pattern : `${pattern}.*`;
  const source = whole
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*');
  return new RegExp(`^${source}$`, 's').test(name);
}

function nobodyToAsk({ item }: ApprovalRequest): string {
  const name = `${item.provider}.${item.operation}`;
  return [
    `${name} needs a decision, and there is no terminal to ask on. What would allow it:`,
    `  --allow ${name}   for this run (--yes allows whatever is asked)`,
    '  or a policy in agent.hcl, for good:',
    `  policy "allow-${item.operation.replaceAll('_', '-')}" {`,
    `    match  = { provider = "${item.provider}", tool_name = "${item.operation}" }`,
    '    action = "allow"',
    '  }',
  ].join('\n');
}
