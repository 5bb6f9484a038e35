// A kernel over one provider of another stack, for the tests.
import { createKernel, DEFAULT_SETTINGS } from '@tenon/kernel';

/** The configuration of one provider and one policy: everything is allowed. */
export function configOf(name, command, args = [], launch = {}) {
  return {
    providers: [
      {
        name,
        launch: {
          type: 'command',
          command,
          args,
          env: {},
          envAllow: [],
          tls: 'mutual',
          startTimeoutMs: 20_000,
          ...launch,
        },
        dev: true,
        settings: {},
        locations: new Map(),
        timeoutsMs: {},
      },
    ],
    policies: [{ name: 'test', match: { provider: name }, action: 'allow' }],
    hooks: [],
    settings: DEFAULT_SETTINGS,
    warnings: [],
  };
}

/** A running kernel that ends with the test; `events` gathers what an observer sees. */
export async function kernelFor(t, config) {
  const events = [];
  const kernel = await createKernel({ config, observer: (event) => void events.push(event) });
  t.after(() => kernel.close());
  return { kernel, events };
}
