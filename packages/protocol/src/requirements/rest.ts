// RND, PRV, CFG, HKP, TRM: pictures, settings, hooks and the end of a turn.
import { group } from './requirement.js';

export const RND = group(
  'RND',
  'Pictures of payloads',
  ['provider'],
  [
    {
      id: 'RND-01',
      level: 'may',
      title: 'Render',
      text: 'A provider may turn a payload that it has emitted, together with its schema_version, into a RenderTree.',
      why: 'Only the producer knows what its bytes mean.',
      howToSatisfy: 'Serve Render, or answer UNIMPLEMENTED.',
    },
    {
      id: 'RND-02',
      level: 'must',
      side: ['kernel'],
      title: 'There is always a picture',
      text: 'Where a provider has no Render, the payload is shown as indented JSON.',
      why: 'An event that nobody can show is an event that is lost.',
      howToSatisfy: 'Fall back for UNIMPLEMENTED, for errors and for providers that are gone.',
    },
    {
      id: 'RND-03',
      level: 'must',
      title: 'Old payloads stay readable',
      text: 'A provider that renders reads the payloads of its own older schema versions, or says clearly that it cannot.',
      why: 'Journals outlive releases.',
      howToSatisfy: 'Look at schema_version first; name it in the error.',
    },
  ],
);

export const PRV = group(
  'PRV',
  'Previews',
  ['kernel'],
  [
    {
      id: 'PRV-01',
      level: 'may',
      side: ['provider'],
      title: 'Preview',
      text: 'A provider may show, as a RenderTree, what a call would do.',
      why: 'A diff is easier to approve than a list of arguments.',
      howToSatisfy: 'Serve Preview for your resources, or answer UNIMPLEMENTED.',
    },
    {
      id: 'PRV-02',
      level: 'must_not',
      side: ['provider'],
      title: 'A preview changes nothing',
      text: 'Preview writes nothing and has no effect outside of the provider.',
      why: 'It runs before anybody has agreed.',
      howToSatisfy: 'Read and compare only.',
    },
    {
      id: 'PRV-03',
      level: 'must',
      title: 'A plan does not wait for a picture',
      text: 'When Preview is missing, slow or fails, the plan shows the arguments as they are. It is never held up.',
      why: 'The decision matters, the picture helps.',
      howToSatisfy: 'Give Preview a short deadline of its own.',
    },
    {
      id: 'PRV-04',
      level: 'must',
      title: 'Previews of changes alone',
      text: 'Preview is asked for the resource calls of a plan and for nothing else.',
      why: 'Nothing else is approved.',
      howToSatisfy: 'Ask while the plan item is built.',
    },
  ],
);

export const CFG = group(
  'CFG',
  'Settings',
  ['provider'],
  [
    {
      id: 'CFG-01',
      level: 'must',
      title: 'Wrong settings fail at once',
      text: 'Configure refuses a missing required setting there and then, with an error that names it, and not at the first call.',
      why: 'The operator is there at the start; later, only the model is.',
      howToSatisfy: 'Check everything in Configure and list every problem.',
    },
    {
      id: 'CFG-02',
      level: 'must_not',
      title: 'Secrets stay secret',
      text: 'A secret that came in Configure shows up in no event, no picture, no log line and no error message.',
      why: 'All of these are stored, and many are sent to a model.',
      howToSatisfy:
        'Mark the attribute as sensitive; filter texts of libraries that may quote it, such as URLs.',
    },
    {
      id: 'CFG-03',
      level: 'must',
      title: 'Boundaries are settings',
      text: 'Limits of what a provider may touch (roots, domains, a jail) are ordinary settings, and they hold.',
      why: 'Operators find and set them like anything else, and rely on them.',
      howToSatisfy: 'Check the resolved target, after links and redirects, at the moment of use.',
    },
  ],
);

export const HKP = group(
  'HKP',
  'Hooks',
  ['provider'],
  [
    {
      id: 'HKP-01',
      level: 'may',
      title: 'Subscribing',
      text: 'supported_hook_points names the points at which a provider can be told; an empty list means none.',
      why: 'The kernel has to know before the first event.',
      howToSatisfy: 'List exactly the points that you handle.',
    },
    {
      id: 'HKP-02',
      level: 'must',
      side: ['kernel'],
      title: 'Subscriptions are checked',
      text: 'A hook of the configuration for a point that its provider does not support is an error at load.',
      why: 'A veto hook that is never called is a lock that does not lock.',
      howToSatisfy: 'Compare the configuration with supported_hook_points at the start.',
    },
  ],
);

export const TRM = group(
  'TRM',
  'Ending the turn',
  ['provider'],
  [
    {
      id: 'TRM-01',
      level: 'may',
      title: 'terminates_turn',
      text: 'A resource may declare that its success ends the turn. No other kind may.',
      why: 'It hands control back to the person, which is a change like any other.',
      howToSatisfy: 'Drop the flag, or make the operation a resource.',
    },
    {
      id: 'TRM-02',
      level: 'must',
      side: ['kernel'],
      title: 'How the turn ends',
      text: 'After a successful call of such an operation, and after the post-tool-call hook of that call, the turn ends. The other calls of the same message still get their results.',
      why: 'Calls without results leave a conversation that the model API refuses.',
      howToSatisfy: 'Finish the turn as usual, then do not ask the model again.',
    },
  ],
);
