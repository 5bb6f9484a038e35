import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedEnv, DEFAULT_ENV_NAMES } from './env.js';

test('only what is named and set is let through', () => {
  const from = { PATH: '/bin', SECRET: 'x', EMPTY: '', UNSET: undefined };
  assert.deepEqual(allowedEnv(['PATH', 'EMPTY', 'UNSET', 'OTHER'], from), {
    PATH: '/bin',
    EMPTY: '',
  });
});

test('the default names hold no secret that a shell commonly has', () => {
  const from = {
    PATH: '/bin',
    AWS_SECRET_ACCESS_KEY: 'x',
    SSH_AUTH_SOCK: '/s',
    NODE_OPTIONS: '-r x',
  };
  assert.deepEqual(allowedEnv(DEFAULT_ENV_NAMES, from), { PATH: '/bin' });
});
