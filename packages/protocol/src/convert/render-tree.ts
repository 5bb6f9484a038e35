// RenderTree ↔ wire (RND-01, PRV-01). A picture is never a reason to fail: what this version does not know
// is kept as a node of type 'unknown'.
import type { DiffHunk, RenderNode, RenderTree } from '../domain/render.js';
import type {
  DiffHunk as WireDiffHunk,
  RenderNode as WireRenderNode,
  RenderTree as WireRenderTree,
} from '../gen/pluggableharness/render/v1/render_pb.js';
import { checkJson } from '../json/check.js';
import { MAX_JSON_DEPTH } from '../json/limits.js';
import { diffLineOps, textStyles } from './enums.js';
import { jsonToWire } from './json.js';

/** Levels of nodes inside nodes; what lies deeper is replaced by one 'unknown' node. */
export const MAX_RENDER_DEPTH = MAX_JSON_DEPTH / 2;

export function renderTreeToWire(tree: RenderTree): WireRenderTree {
  return {
    $typeName: 'pluggableharness.render.v1.RenderTree',
    root: nodeToWire(tree.root, 1),
  };
}

/** A tree without a root is a root of type 'unknown'. */
export function renderTreeFromWire(wire: WireRenderTree): RenderTree {
  return { root: nodeFromWire(wire.root, 1) };
}

function nodeToWire(node: RenderNode, depth: number): WireRenderNode {
  return {
    $typeName: 'pluggableharness.render.v1.RenderNode',
    node: depth > MAX_RENDER_DEPTH ? { case: undefined } : bodyToWire(node, depth),
  };
}

function nodesToWire(nodes: readonly RenderNode[], depth: number): WireRenderNode[] {
  return nodes.map((node) => nodeToWire(node, depth + 1));
}

function bodyToWire(node: RenderNode, depth: number): WireRenderNode['node'] {
  switch (node.type) {
    case 'text':
      return {
        case: 'text',
        value: {
          $typeName: 'pluggableharness.render.v1.TextNode',
          content: node.content,
          style: node.style === undefined ? undefined : textStyles.toWire(node.style),
        },
      };
    case 'code_block':
      return {
        case: 'codeBlock',
        value: {
          $typeName: 'pluggableharness.render.v1.CodeBlockNode',
          language: node.language,
          content: node.content,
        },
      };
    case 'diff':
      return {
        case: 'diff',
        value: {
          $typeName: 'pluggableharness.render.v1.DiffNode',
          hunks: node.hunks.map(hunkToWire),
        },
      };
    case 'table':
      return {
        case: 'table',
        value: {
          $typeName: 'pluggableharness.render.v1.TableNode',
          headers: [...node.headers],
          rows: node.rows.map((cells) => ({
            $typeName: 'pluggableharness.render.v1.TableRow',
            cells: [...cells],
          })),
        },
      };
    case 'link':
      return {
        case: 'link',
        value: {
          $typeName: 'pluggableharness.render.v1.LinkNode',
          text: node.text,
          url: node.url,
        },
      };
    case 'list':
      return {
        case: 'list',
        value: {
          $typeName: 'pluggableharness.render.v1.ListNode',
          items: nodesToWire(node.items, depth),
          ordered: node.ordered,
        },
      };
    case 'group':
      return {
        case: 'group',
        value: {
          $typeName: 'pluggableharness.render.v1.GroupNode',
          children: nodesToWire(node.children, depth),
        },
      };
    case 'collapsible':
      return {
        case: 'collapsible',
        value: {
          $typeName: 'pluggableharness.render.v1.CollapsibleNode',
          summary: node.summary,
          children: nodesToWire(node.children, depth),
          collapsedByDefault: node.collapsedByDefault,
        },
      };
    case 'sub_session':
      return {
        case: 'subSession',
        value: {
          $typeName: 'pluggableharness.render.v1.SubSessionNode',
          sessionId: node.sessionId,
          summary: node.summary,
        },
      };
    case 'action':
      return {
        case: 'action',
        value: {
          $typeName: 'pluggableharness.render.v1.ActionNode',
          id: node.id,
          label: node.label,
          toolName: node.toolName,
          args: jsonToWire(node.args),
          provider: node.provider,
        },
      };
    case 'unknown':
      return { case: undefined };
  }
}

function hunkToWire(hunk: DiffHunk): WireDiffHunk {
  return {
    $typeName: 'pluggableharness.render.v1.DiffHunk',
    oldStart: hunk.oldStart,
    oldLines: hunk.oldLines,
    newStart: hunk.newStart,
    newLines: hunk.newLines,
    lines: hunk.lines.map((line) => ({
      $typeName: 'pluggableharness.render.v1.DiffLine',
      op: diffLineOps.toWire(line.op),
      text: line.text,
    })),
  };
}

function nodeFromWire(wire: WireRenderNode | undefined, depth: number): RenderNode {
  const body = wire?.node;
  if (body === undefined || depth > MAX_RENDER_DEPTH) return { type: 'unknown' };
  switch (body.case) {
    case 'text': {
      const style =
        body.value.style === undefined ? undefined : textStyles.fromWire(body.value.style);
      return {
        type: 'text',
        content: body.value.content,
        ...(style === undefined ? {} : { style }),
      };
    }
    case 'codeBlock': {
      const { language, content } = body.value;
      return { type: 'code_block', content, ...(language === undefined ? {} : { language }) };
    }
    case 'diff':
      return { type: 'diff', hunks: body.value.hunks.map(hunkFromWire) };
    case 'table':
      return {
        type: 'table',
        headers: body.value.headers,
        rows: body.value.rows.map((row) => row.cells),
      };
    case 'link':
      return { type: 'link', text: body.value.text, url: body.value.url };
    case 'list':
      return {
        type: 'list',
        items: nodesFromWire(body.value.items, depth),
        ordered: body.value.ordered,
      };
    case 'group':
      return { type: 'group', children: nodesFromWire(body.value.children, depth) };
    case 'collapsible':
      return {
        type: 'collapsible',
        summary: body.value.summary,
        children: nodesFromWire(body.value.children, depth),
        collapsedByDefault: body.value.collapsedByDefault,
      };
    case 'subSession':
      return {
        type: 'sub_session',
        sessionId: body.value.sessionId,
        summary: body.value.summary,
      };
    case 'action': {
      const { id, label, toolName, args = {}, provider } = body.value;
      // An action whose arguments are not JSON could not be run; it is shown as its label.
      if (!checkJson(args).ok) return { type: 'text', content: label };
      return { type: 'action', id, label, toolName, args, provider };
    }
    default:
      return { type: 'unknown' };
  }
}

function nodesFromWire(wire: readonly WireRenderNode[], depth: number): RenderNode[] {
  return wire.map((node) => nodeFromWire(node, depth + 1));
}

function hunkFromWire(wire: WireDiffHunk): DiffHunk {
  return {
    oldStart: wire.oldStart,
    oldLines: wire.oldLines,
    newStart: wire.newStart,
    newLines: wire.newLines,
    // A line operation of a newer peer is shown as context: it is there, and claims no change.
    lines: wire.lines.map((line) => ({
      op: diffLineOps.fromWire(line.op) ?? 'context',
      text: line.text,
    })),
  };
}
