// GATE, POL, BRK, OPEN: what may run, and who says so.
import { group } from './requirement.js';

export const GATE = group(
  'GATE',
  'The gate before every change',
  ['kernel'],
  [
    {
      id: 'GATE-01',
      level: 'must',
      title: 'Nothing changes without an allow',
      text: 'Each call of a resource is an item of a plan, and runs only after it has been allowed.',
      why: 'This is what the rest is for.',
      howToSatisfy:
        'Let one function start resource calls, and let it take the decision as its argument.',
    },
    {
      id: 'GATE-02',
      level: 'must',
      title: 'One decision per item',
      text: 'Items are decided one by one; a plan can hold allowed, asked and denied ones side by side.',
      why: 'One doubtful call must not take the harmless ones with it.',
      howToSatisfy: 'Keep the decision on the item.',
    },
    {
      id: 'GATE-03',
      level: 'must',
      title: 'The plan is a snapshot',
      text: 'Kind, risk, description and preview are copied into the item when the plan is built. A schema that changes later does not change what was decided.',
      why: 'The record must show what the person saw.',
      howToSatisfy: 'Copy the values and not references to the catalog.',
    },
    {
      id: 'GATE-04',
      level: 'must',
      title: 'Waiting for one holds up one',
      text: 'An item that is being asked about waits until it is decided; allowed items need not wait for it.',
      why: 'People take their time.',
      howToSatisfy: 'Await each decision on its own.',
    },
    {
      id: 'GATE-05',
      level: 'must',
      title: 'The model learns of a denial',
      text: 'A denied item becomes an error tool_result with the reason.',
      why: 'Knowing why, the model can choose another way.',
      howToSatisfy: 'Carry the reason of the rule, the hook or the person into the result.',
    },
    {
      id: 'GATE-06',
      level: 'must',
      title: 'Corrected arguments are the arguments',
      text: 'A decision may correct the arguments. They are checked against the input schema again, and they are exactly what is locked on, run and recorded, beside the original.',
      why: 'Approving one thing and running another is the worst that a gate can do.',
      howToSatisfy: 'After the decision, pass on one value only.',
    },
    {
      id: 'GATE-07',
      level: 'must',
      title: 'How long a decision holds',
      text: 'A decision holds once, for the session (in memory, per provider and operation), or always (written to the policy). Where it cannot be written, "always" is refused aloud.',
      why: 'A decision that was taken to last and did not is asked again; one that lasts unnoticed is worse.',
      howToSatisfy: 'Write the rule before the call runs, and report a failure to write.',
    },
    {
      id: 'GATE-08',
      level: 'must',
      title: 'A broken veto denies',
      text: 'A veto hook at plan-ready that fails or hangs denies.',
      why: 'Otherwise it could be switched off by making it crash.',
      howToSatisfy: 'Start from deny, and change to allow on an explicit allow alone.',
    },
    {
      id: 'GATE-09',
      level: 'must',
      title: 'Plan mode',
      text: 'In plan mode the model is not offered resources at all.',
      why: 'What is not offered is not tried.',
      howToSatisfy: 'Filter the list of operations, and refuse a call that comes all the same.',
    },
  ],
);

export const POL = group(
  'POL',
  'Policy',
  ['kernel'],
  [
    {
      id: 'POL-01',
      level: 'must',
      title: 'What a rule matches',
      text: 'A rule can name an operation, a provider, a risk and a kind (resource or data_source). What it does not name matches anything; what it names must all match.',
      why: 'Rules are read by people, who expect exactly this.',
      howToSatisfy: 'Compare each field that is given; refuse unknown ones at load.',
    },
    {
      id: 'POL-02',
      level: 'must',
      title: 'The most specific rule wins',
      text: 'Among the rules that match, the operation counts more than the provider, the provider more than the risk, the risk more than the kind.',
      why: 'The order of rules in a file must not decide.',
      howToSatisfy: 'Rank rules by these four, from left to right.',
    },
    {
      id: 'POL-03',
      level: 'must',
      title: 'No ties',
      text: 'Two rules of the same rank that can match one call are an error at load.',
      why: 'Either answer would surprise somebody.',
      howToSatisfy: 'Compare all pairs at load and name both rules with their lines.',
    },
    {
      id: 'POL-04',
      level: 'must',
      title: 'Without a rule',
      text: 'A call that no rule matches is asked about if it is a resource, and allowed otherwise.',
      why: 'Changes are safe by default, reads are smooth by default.',
      howToSatisfy: 'Apply it as the last step, and record it as the default.',
    },
    {
      id: 'POL-05',
      level: 'must',
      title: 'Nobody is asked about a read',
      text: 'A rule that says ask for a data_source or an interactive call denies it, and the journal says that it was turned into a denial.',
      why: 'Only resources have a plan in which something can be asked.',
      howToSatisfy: 'Downgrade after the rule is chosen, and keep the fact.',
    },
    {
      id: 'POL-06',
      level: 'should',
      title: 'A rule for everything is pointed out',
      text: 'A rule that names nothing gets a warning at load.',
      why: 'It is more often a mistake than meant.',
      howToSatisfy: 'Warn with its name and line.',
    },
  ],
);

export const BRK = group(
  'BRK',
  'The breaker',
  ['kernel'],
  [
    {
      id: 'BRK-01',
      level: 'should',
      title: 'Enough is enough',
      text: 'After a number of denials and crashes of a provider in a row, or of many within a window, further calls to it are refused at once with a clear reason; the turn goes on without it.',
      why: 'A model that keeps trying burns time and money, and tires the person who denies.',
      howToSatisfy:
        'Keep a streak and a window per session and provider; let a good outcome end the streak.',
    },
  ],
);

export const OPEN = group(
  'OPEN',
  'Answers of our own',
  ['kernel'],
  [
    {
      id: 'OPEN-01',
      level: 'must',
      title: 'A sandbox by the operating system',
      text: 'An operator can confine a provider: paths it may read and write, network, processes. It holds for providers in every language alike. Where it is asked for and cannot be had, the provider does not start.',
      why: 'Boundaries inside of a provider hold as far as its code is right.',
      howToSatisfy: 'Wrap the start of the process; treat a missing tool as an error.',
    },
    {
      id: 'OPEN-02',
      level: 'must',
      side: ['provider', 'kernel'],
      title: 'Derived keys',
      text: 'A key can be computed from the arguments, such as the real path behind a relative one, a symbolic link or one that does not exist yet; and operations of a provider can share keys.',
      why: 'Two spellings of one file are one file.',
      howToSatisfy:
        'Declare derived keys in the extension service; they add to the locks of CON and take nothing away.',
      example: "keys: [{ field: 'path', derivation: 'path', keySpace: 'files' }]",
    },
  ],
);
