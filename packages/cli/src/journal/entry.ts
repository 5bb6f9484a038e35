// One entry of the journal as a picture, and as JSON. Pure. A kind of entry that this version does not know
// is shown as it is.
import type { StoredEntry } from '@tenon/kernel';
import type { JsonObject, RenderNode, TextStyle, ToolErrorData } from '@tenon/protocol';
import { durationText, shortId } from '../output/format.js';
import { outcomeJson } from '../output/json-events.js';
import { payloadTree } from '../output/payload.js';

/** Renders what a provider emitted; the picture that its producer or the fallback makes of it. */
export type RenderEmit = (entry: StoredEntry & { type: 'emit' }) => RenderNode;

/** The picture of an entry. */
export function entryNode(entry: StoredEntry, renderEmit: RenderEmit): RenderNode {
  switch (entry.type) {
    case 'session_started':
      return group([
        text(`session ${entry.sessionId}`, 'bold'),
        text(`in ${entry.workingDirectory}, by process ${entry.kernelPid}`, 'dim'),
      ]);
    case 'session_ended':
      return text(`session ended: ${entry.status}`, 'bold');
    case 'turn_started':
      return text(`turn ${shortId(entry.turnId)}: ${entry.callIds.length} calls`, 'bold');
    case 'turn_ended': {
      const message = entry.message === undefined ? '' : `: ${entry.message}`;
      return text(`turn ended: ${entry.reason}${message}`);
    }
    case 'call_requested': {
      const what = [entry.kind, entry.risk].filter((part) => part !== undefined).join(', ');
      return group([
        text(
          `call ${shortId(entry.callId)}: ${entry.name}${what === '' ? '' : ` (${what})`}`,
          'bold',
        ),
        typeof entry.arguments === 'string'
          ? { type: 'code_block', language: 'arguments, not JSON', content: entry.arguments }
          : json('arguments', entry.arguments),
      ]);
    }
    case 'plan_item': {
      const { item } = entry;
      const head = text(
        `planned: ${item.provider}.${item.operation}, risk ${item.risk}${item.decision === 'pending' ? '' : `, ${item.decision} by ${item.decidedBy}`}`,
      );
      return item.preview === undefined ? head : group([head, item.preview.root]);
    }
    case 'decision':
      return group([
        text(
          `${entry.action === 'allow' ? 'allowed' : 'denied'} by ${entry.decidedBy} (${entry.scope})${entry.reason === '' ? '' : `: ${entry.reason}`}`,
          entry.action === 'allow' ? 'success' : 'error',
        ),
        ...(entry.downgraded ? [text('an ask on a read counts as deny (POL-05)', 'dim')] : []),
        ...(entry.originalArguments !== undefined && entry.arguments !== undefined
          ? [json('arguments as corrected', entry.arguments)]
          : []),
      ]);
    case 'intent':
      return text('about to run (written before any effect)', 'dim');
    case 'attempt_started': {
      const pid = entry.pid === undefined ? '' : `, pid ${entry.pid}`;
      const keys = entry.lockKeys.length === 0 ? '' : `, locks ${entry.lockKeys.join(' ')}`;
      return text(
        `attempt ${entry.attempt}: provider version ${entry.providerVersion}${pid}, deadline ${durationText(entry.deadlineMs)}${keys}`,
        'dim',
      );
    }
    case 'event':
      return eventNode(entry);
    case 'chunks_dropped':
      return text(
        `${entry.count} more pieces of output were not kept (${entry.bytes} bytes)`,
        'warning',
      );
    case 'attempt_ended':
      return entry.status === 'ok'
        ? text(`attempt ${entry.attempt} succeeded`, 'dim')
        : group([
            text(`attempt ${entry.attempt} failed`, 'error'),
            errorNode(entry.error),
            text(`reaction: ${entry.reaction.type} (${entry.reaction.why})`, 'dim'),
            ...entry.violations.map((violation) =>
              text(`${violation.requirement} ${violation.pointer} ${violation.message}`, 'warning'),
            ),
          ]);
    case 'outcome':
      return outcomeNode(entry);
    case 'emit':
      return renderEmit(entry);
    case 'provider_log':
      return group([
        text(`${entry.provider} ${entry.level}: ${entry.message}`, 'dim'),
        ...(Object.keys(entry.fields).length === 0 ? [] : [json('fields', entry.fields)]),
      ]);
    case 'provider_fault':
      return group([
        text(`${entry.provider} broke the protocol: ${entry.message}`, 'error'),
        ...entry.violations.map((violation) =>
          text(`${violation.requirement} ${violation.pointer} ${violation.message}`, 'warning'),
        ),
      ]);
    case 'hook_error':
      return text(
        `hook ${entry.subscriber} at ${entry.point} (${entry.mode}): ${entry.category}: ${entry.message}`,
        'warning',
      );
    case 'breaker':
      return text(`breaker of ${entry.provider}: ${entry.state} (${entry.reason})`, 'warning');
    default:
      return json('entry of a newer version', entryJson(entry));
  }
}

/** The entry as JSON: bytes in base64. */
export function entryJson(entry: StoredEntry): JsonObject {
  const value: Record<string, unknown> = { ...entry };
  if (entry.type === 'outcome') value['outcome'] = outcomeJson(entry.outcome);
  for (const [key, field] of Object.entries(value)) {
    if (field instanceof Uint8Array) value[key] = { base64: Buffer.from(field).toString('base64') };
  }
  return value as JsonObject;
}

function eventNode(entry: StoredEntry & { type: 'event' }): RenderNode {
  const { event, chunk } = entry;
  if (chunk !== undefined) {
    const stream = typeof event['stream'] === 'string' ? event['stream'] : 'output';
    return {
      type: 'code_block',
      language: stream,
      content: Buffer.from(chunk).toString('utf8'),
    };
  }
  return json(typeof event['type'] === 'string' ? event['type'] : 'event', event);
}

function outcomeNode(entry: StoredEntry & { type: 'outcome' }): RenderNode {
  const { outcome } = entry;
  const took = `${durationText(outcome.durationMs)}, ${outcome.attempts} attempt${outcome.attempts === 1 ? '' : 's'}`;
  const exit =
    outcome.exitStatus === undefined
      ? []
      : [
          text(
            outcome.exitStatus.signal === undefined
              ? `exit code ${outcome.exitStatus.exitCode}`
              : `signal ${outcome.exitStatus.signal}`,
          ),
        ];
  switch (outcome.status) {
    case 'ok':
      return group([text(`ok (${took})`, 'success'), ...exit, payloadTree(outcome.payload).root]);
    case 'error':
      return group([text(`failed (${took})`, 'error'), ...exit, errorNode(outcome.error)]);
    case 'denied':
      return group([text(`denied by ${outcome.decidedBy}`, 'error'), text(outcome.reason)]);
    case 'cancelled':
      return group([
        text(`cancelled (${took})`, 'warning'),
        ...exit,
        text(
          outcome.partial.length === 0
            ? 'nothing had been reported as done until then'
            : `${outcome.partial.length} events had been reported until then`,
        ),
      ]);
  }
}

function errorNode(error: ToolErrorData): RenderNode {
  return group([
    text(`${error.category}${error.retryable ? ' (retryable)' : ''}: ${error.message}`),
    ...(error.details === undefined || Object.keys(error.details).length === 0
      ? []
      : [json('details', error.details)]),
  ]);
}

function json(label: string, value: JsonObject): RenderNode {
  return { type: 'code_block', language: label, content: JSON.stringify(value, undefined, 2) };
}

function group(children: readonly RenderNode[]): RenderNode {
  return { type: 'group', children };
}

function text(content: string, style?: TextStyle): RenderNode {
  return style === undefined ? { type: 'text', content } : { type: 'text', content, style };
}
