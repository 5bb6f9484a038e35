// Group secrets, which runs last: every byte of the whole run is searched for the secrets that were configured
// (CFG-02). It first provokes the failures of Configure that are most likely to quote one.
import type { JsonValue } from '@tenon/protocol';
import { fail, notApplicable, pass, type Verdict } from '../model/check.js';
import { quoted } from '../model/bytes.js';
import { sightings } from '../probe/transcript.js';
import type { CheckContext } from '../run/model.js';
import type { GroupChecks } from './group.js';

async function nowhere(context: CheckContext): Promise<Verdict> {
  const { config, schema } = await context.survey();
  if (config.secrets.length === 0) return notApplicable('no setting is sensitive');
  await context.exercise();
  await provoke(
    context,
    schema.config.map(({ name }) => name),
  );
  const did = `searched ${context.transcript.size} bytes (events, answers, statuses, callbacks, stdout, stderr) for the secrets of ${config.secrets.map(({ attribute }) => attribute).join(', ')}`;
  const expected = 'none of them, neither as it is nor in hex or base64';
  for (const { attribute, text } of config.secrets) {
    const [first, ...more] = await sightings(context.transcript, text);
    if (first === undefined) continue;
    return fail({
      did,
      expected,
      saw: `${attribute} ${first.encoding} in ${first.source}: ${quoted(first.context.replaceAll(text, '(the secret)'))}; ${more.length} more`,
      fix: 'Never put a sensitive setting into a message; filter what libraries say, such as URLs and headers.',
    });
  }
  return pass(did, expected, 'none');
}

/** Configure with each setting wrong in turn while the secrets are right, and with the secrets of a wrong type. */
async function provoke(context: CheckContext, names: readonly string[]): Promise<void> {
  const { config } = await context.survey();
  const provider = await context.start();
  const wrong: readonly JsonValue[] = [null, { unexpected: true }];
  for (const name of [...names, 'conformance_unknown']) {
    for (const value of wrong) {
      const secret = config.secrets.find(({ attribute }) => attribute === name)?.text;
      const given = secret === undefined ? value : { unexpected: secret };
      await provider.configure({ ...config.config, [name]: given }, context.timeoutMs);
    }
  }
  await provider.configure(config.config, context.timeoutMs);
  await provider.shutdown(context.timeoutMs);
}

export const secrets: GroupChecks<'secrets'> = { nowhere };
