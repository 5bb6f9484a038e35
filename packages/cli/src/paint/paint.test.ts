import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RenderNode } from '@tenon/protocol';
import { textWidth } from '../terminal/width.js';
import { paint, paintLines } from './paint.js';

const plain = { width: 40, color: false };
const show = (node: RenderNode, options = plain): string => paint({ root: node }, options);
const withoutColour = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, '');
const text = (content: string): RenderNode => ({ type: 'text', content });

test('RND-02 text wraps at words, keeps its newlines, and cuts words that are too long', () => {
  assert.equal(
    show(text('one two three four five'), { width: 20, color: false }),
    'one two three four\nfive\n',
  );
  assert.equal(show(text('a\n\nb\n')), 'a\n\nb\n');
  assert.equal(
    show(text('x'.repeat(25)), { width: 20, color: false }),
    `${'x'.repeat(20)}\n${'x'.repeat(5)}\n`,
  );
});

test('wide, combining and emoji text is measured in columns and never cut inside', () => {
  for (const line of show(text('漢字'.repeat(30)), { width: 21, color: false })
    .trimEnd()
    .split('\n')) {
    assert.equal(textWidth(line), 20);
  }
  const family = '👨‍👩‍👧‍👦';
  const lines = show(text(family.repeat(15)), { width: 20, color: false })
    .trimEnd()
    .split('\n');
  assert.deepEqual(lines, [family.repeat(10), family.repeat(5)]);
  assert.equal(textWidth('e\u0301'), 1);
});

test('a diff has line numbers, signs and colours; without colour the signs stay', () => {
  const diff: RenderNode = {
    type: 'diff',
    hunks: [
      {
        oldStart: 9,
        oldLines: 2,
        newStart: 9,
        newLines: 3,
        lines: [
          { op: 'context', text: 'same' },
          { op: 'remove', text: 'old\r' },
          { op: 'add', text: 'new' },
          { op: 'add', text: '\tmore' },
        ],
      },
    ],
  };
  const expected = '@@ -9,2 +9,3 @@\n 9   same\n10 - old␍\n10 + new\n11 +     more\n';
  assert.equal(show(diff), expected);
  const coloured = show(diff, { width: 40, color: true });
  assert.match(coloured, /\u001b\[31m- old/);
  assert.match(coloured, /\u001b\[32m\+ new/);
  assert.equal(withoutColour(coloured), expected);
});

test('a table shares the width, wraps cells, and becomes records when there is no room', () => {
  const table: RenderNode = {
    type: 'table',
    headers: ['name', 'what'],
    rows: [['a', 'short'], ['b', 'a text that is too long for one line of it'], ['漢字']],
  };
  assert.equal(
    show(table, { width: 24, color: false }),
    'name  what\na     short\nb     a text that is too\n      long for one line\n      of it\n漢字\n',
  );
  const wide: RenderNode = {
    type: 'table',
    headers: Array.from('abcdefgh', (c) => `head-${c}`),
    rows: [Array.from('12345678', (c) => `cell-${c}`)],
  };
  assert.match(show(wide, { width: 20, color: false }), /^head-a: cell-1\nhead-b: cell-2\n/);
  assert.equal(show({ type: 'table', headers: ['x'], rows: [] }), 'x\n(none)\n');
});

test('lists, groups, collapsibles, links, sub-sessions and actions', () => {
  const tree: RenderNode = {
    type: 'group',
    children: [
      {
        type: 'list',
        ordered: true,
        items: [text('one\ntwo'), { type: 'list', ordered: false, items: [text('in')] }],
      },
      { type: 'link', text: 'docs', url: 'https://example.org/' },
      {
        type: 'collapsible',
        summary: 'closed',
        collapsedByDefault: true,
        children: [text('hidden')],
      },
      {
        type: 'collapsible',
        summary: 'open',
        collapsedByDefault: false,
        children: [text('shown')],
      },
      { type: 'sub_session', sessionId: '01ABC', summary: 'did things' },
      { type: 'action', id: '1', label: 'Undo', toolName: 'undo', args: { n: 1 }, provider: 'p' },
      { type: 'code_block', language: 'ts', content: 'let a;\nlet b;\n' },
    ],
  };
  assert.equal(
    show(tree),
    [
      '1. one',
      '   two',
      '2. • in',
      'docs <https://example.org/>',
      '▸ closed (1 item not shown)',
      '▾ open',
      '  shown',
      '↳ session 01ABC: did things',
      '[Undo]',
      '→ p.undo {"n":1}',
      '╷ ts',
      '│ let a;',
      '│ let b;',
      '',
    ].join('\n'),
  );
  assert.match(paint({ root: tree }, { ...plain, expand: true }), /▾ closed\n {2}hidden\n/);
});

test('a node of an unknown type is shown somehow', () => {
  assert.match(show({ type: 'unknown' }), /cannot show/);
  const newer = { type: 'chart', points: [1, 2] } as unknown as RenderNode;
  assert.match(show(newer), /unknown content.*chart/);
});

test('control characters of any node come out visible', () => {
  const evil = 'a\u001b[2Jb\u0007\u202ec\u009b31m\u007f';
  const nodes: RenderNode[] = [
    text(evil),
    { type: 'code_block', language: evil, content: evil },
    {
      type: 'diff',
      hunks: [
        {
          oldStart: 1,
          oldLines: 1,
          newStart: 1,
          newLines: 0,
          lines: [{ op: 'remove', text: evil }],
        },
      ],
    },
    { type: 'table', headers: [evil], rows: [[evil]] },
    { type: 'link', text: evil, url: evil },
    { type: 'collapsible', summary: evil, children: [], collapsedByDefault: true },
    { type: 'sub_session', sessionId: evil, summary: evil },
    {
      type: 'action',
      id: evil,
      label: evil,
      toolName: evil,
      args: { [evil]: evil },
      provider: evil,
    },
  ];
  for (const node of nodes) {
    for (const color of [false, true]) {
      assert.doesNotMatch(
        withoutColour(show(node, { width: 60, color })),
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/,
        node.type,
      );
    }
  }
});

test('a tree of 20,000 levels is painted within the width', () => {
  let node = text('core');
  for (let level = 0; level < 20_000; level += 1) {
    node =
      level % 2 === 0
        ? { type: 'list', ordered: false, items: [node] }
        : { type: 'group', children: [node] };
  }
  assert.match(show(node), /core\n$/);
});

test('no painted line is wider than asked for, whatever the tree', () => {
  const content = fc.string({ unit: 'grapheme', maxLength: 60 });
  const { node } = fc.letrec<{ node: RenderNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.record({ type: fc.constant('text' as const), content }),
      fc.record({ type: fc.constant('code_block' as const), content }),
      fc.record({
        type: fc.constant('table' as const),
        headers: fc.array(content, { maxLength: 5 }),
        rows: fc.array(fc.array(content, { maxLength: 5 }), { maxLength: 3 }),
      }),
      fc.record({ type: fc.constant('link' as const), text: content, url: content }),
      fc.record({
        type: fc.constant('list' as const),
        ordered: fc.boolean(),
        items: fc.array(tie('node'), { maxLength: 3 }),
      }),
      fc.record({
        type: fc.constant('group' as const),
        children: fc.array(tie('node'), { maxLength: 3 }),
      }),
    ),
  }));
  fc.assert(
    fc.property(node, fc.integer({ min: 20, max: 100 }), (root, width) => {
      for (const line of paintLines({ root }, { width, color: false })) {
        // One grapheme may be wider than a column that is one wide; it is not cut.
        assert.ok(
          textWidth(line) <= width + 1,
          `${textWidth(line)} > ${width}: ${JSON.stringify(line)}`,
        );
      }
    }),
    { numRuns: 150 },
  );
});
