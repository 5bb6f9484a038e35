// What the compiler must accept and refuse. The lines below are checked by `tsc`: an unused @ts-expect-error is an
// error of the build. At run time the calls that it refuses are refused too, for authors without a compiler.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import {
  attr,
  configSchema,
  dataSource,
  defineProvider,
  fail,
  interactive,
  resource,
} from './index.js';

const io = {
  input: z.object({ a: z.string(), b: z.number().optional() }),
  output: z.object({ n: z.number() }),
};

test('handlers are typed by the schemas', () => {
  dataSource({
    ...io,
    description: 'd',
    handler({ args }) {
      const a: string = args.a;
      const b: number | undefined = args.b;
      // @ts-expect-error there is no such argument
      void args.c;
      return { n: a.length + (b ?? 0) };
    },
  });
  // @ts-expect-error the output needs a number
  dataSource({ ...io, description: 'd', handler: () => ({ n: 'x' }) });
  assert.ok(true);
});

test('EVT-03/04: emit has what the declaration allows', () => {
  dataSource({
    ...io,
    description: 'd',
    async handler({ emit }) {
      // @ts-expect-error not a streaming operation
      await emit.chunk('stdout', 'x');
      // @ts-expect-error not process-backed
      await emit.exitStatus(0);
      return { n: 1 };
    },
  });
  dataSource({
    ...io,
    description: 'd',
    streaming: true,
    async handler({ emit }) {
      await emit.chunk('stdout', 'x');
      await emit.progress('half', 0.5);
      await emit.partial({ n: 1 });
      // @ts-expect-error not process-backed
      await emit.exitStatus(0);
      // @ts-expect-error no such stream
      await emit.chunk('stdlog', 'x');
      return { n: 1 };
    },
  });
  resource({
    ...io,
    description: 'd',
    risk: 'high',
    processBacked: true,
    async handler({ emit }) {
      await emit.exitStatus(0, 'SIGTERM');
      // @ts-expect-error not streaming
      await emit.progress('x');
      return { n: 1 };
    },
  });
  assert.ok(true);
});

test('KND-02, CON-03, CON-07, TRM-01: what a kind cannot say does not compile', () => {
  // @ts-expect-error a resource has a risk
  resource({ ...io, description: 'd', handler: () => ({ n: 1 }) });
  // @ts-expect-error and never read_only
  resource({ ...io, description: 'd', risk: 'read_only', handler: () => ({ n: 1 }) });
  // @ts-expect-error a data source has none
  dataSource({ ...io, description: 'd', risk: 'low', handler: () => ({ n: 1 }) });
  // @ts-expect-error only a resource ends the turn
  dataSource({ ...io, description: 'd', terminatesTurn: true, handler: () => ({ n: 1 }) });
  // @ts-expect-error an interactive operation has no concurrency
  interactive({ ...io, description: 'd', concurrency: { safe: true } });
  dataSource({
    ...io,
    description: 'd',
    concurrency: { safe: true, keyFields: ['a'] },
    handler: () => ({ n: 1 }),
  });
  dataSource({
    ...io,
    description: 'd',
    // @ts-expect-error no argument of this name
    concurrency: { safe: true, keyFields: ['c'] },
    handler: () => ({ n: 1 }),
  });
  dataSource({
    ...io,
    description: 'd',
    // @ts-expect-error key fields need safe: true
    concurrency: { safe: false, keyFields: ['a'] },
    handler: () => ({ n: 1 }),
  });
  assert.ok(true);
});

test('ERR-11: process_crashed cannot be made', () => {
  assert.throws(() => {
    // @ts-expect-error not a category of providers
    // eslint-disable-next-line
    fail.processCrashed('x');
  }, TypeError);
});

test('CFG-01: config is typed by its attributes', () => {
  const config = configSchema({
    roots: attr.listString({ description: 'd', required: true }),
    limit: attr.number({ description: 'd', default: 5 }),
    token: attr.string({ description: 'd', sensitive: true }),
    nested: attr.object({
      description: 'd',
      required: true,
      attributes: { on: attr.bool({ description: 'd', default: true }) },
    }),
  });
  const read = dataSource({
    ...io,
    config,
    description: 'd',
    handler({ config: own }) {
      const roots: readonly string[] = own.roots;
      const limit: number = own.limit;
      const on: boolean = own.nested.on;
      // @ts-expect-error it may be absent
      const token: string = own.token;
      // @ts-expect-error no such attribute
      void own.other;
      return { n: roots.length + limit + Number(on) + token.length };
    },
  });
  dataSource({
    ...io,
    description: 'd',
    handler({ config: none }) {
      // @ts-expect-error this operation did not say which config it reads
      const roots: readonly string[] = none.roots;
      return { n: roots.length };
    },
  });
  assert.ok(defineProvider({ name: 'p', version: '1', config, operations: { read } }));
});
