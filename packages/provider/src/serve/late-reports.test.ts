import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolEvent } from '@tenon/protocol';
import { createLateReports, type Follower } from './late-reports.js';

const event = (message: string): ToolEvent => ({ type: 'progress', message });

function follower(): Follower & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    write: (each) => void seen.push(each.type === 'progress' ? each.message : each.type),
    end: () => void seen.push('end'),
  };
}

test('CAN-03: what was reported before and after somebody followed arrives in order, then the end', () => {
  const reports = createLateReports();
  const call = reports.begin('c');
  void call.add(event('before'));
  const follows = follower();
  reports.follow('c', follows);
  void call.add(event('after'));
  call.end();
  assert.deepEqual(follows.seen, ['before', 'after', 'end']);
});

test('CAN-03: a call that ended before it was followed still has its report', () => {
  const reports = createLateReports();
  const call = reports.begin('c');
  void call.add(event('last words'));
  call.end();
  const follows = follower();
  reports.follow('c', follows);
  assert.deepEqual(follows.seen, ['last words', 'end']);
});

test('a call that is not running ends its follower at once', () => {
  const reports = createLateReports();
  reports.begin('quiet').end();
  for (const id of ['quiet', 'never heard of']) {
    const follows = follower();
    reports.follow(id, follows);
    assert.deepEqual(follows.seen, ['end']);
  }
});

test('who leaves hears nothing more, and a flood that nobody follows is bounded', () => {
  const reports = createLateReports();
  const call = reports.begin('c');
  const first = follower();
  reports.follow('c', first).leave();
  for (let i = 0; i < 10_000; i++) void call.add(event(String(i)));
  const second = follower();
  reports.follow('c', second);
  call.end();
  assert.deepEqual(first.seen, []);
  assert.equal(second.seen.length, 257);
  assert.deepEqual(second.seen.slice(-2), ['9999', 'end']);
});
