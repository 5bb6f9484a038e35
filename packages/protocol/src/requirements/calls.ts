// CON, TMO, EVT, OUT, CAN: how calls run beside each other, what they say, and how they end.
import { group } from './requirement.js';

export const CON = group(
  'CON',
  'Calls at the same time',
  ['kernel'],
  [
    {
      id: 'CON-01',
      level: 'must',
      side: ['provider'],
      title: 'Say whether calls may overlap',
      text: 'Each operation declares ConcurrencySpec.safe, the interactive ones aside.',
      why: 'Only the author knows; a kernel without the answer has to run one call at a time.',
      howToSatisfy:
        'Set safe to true if two calls at once do no harm; add key_fields if only calls on the same thing do.',
      example: "concurrency: { safe: true, keyFields: ['path'] }",
    },
    {
      id: 'CON-02',
      level: 'must',
      title: 'Silence means no',
      text: 'An operation without ConcurrencySpec is treated as if it had said safe = false.',
      why: 'Waiting is slow; a race is wrong.',
      howToSatisfy: 'Default to the lock on the whole provider.',
    },
    {
      id: 'CON-03',
      level: 'must_not',
      side: ['provider', 'kernel'],
      title: 'None for questions',
      text: 'An interactive operation declares no ConcurrencySpec. A kernel that meets one ignores it.',
      why: 'Questions run one at a time anyway.',
      howToSatisfy: 'Leave it out.',
    },
    {
      id: 'CON-04',
      level: 'must',
      title: 'Not safe: alone in the process',
      text: 'While a call of an operation with safe = false runs, no other call runs in that provider process.',
      why: 'The provider has said that it cannot tell them apart.',
      howToSatisfy: 'Take the lock of the provider exclusively, for calls of all its operations.',
    },
    {
      id: 'CON-05',
      level: 'must',
      title: 'Same key: one after the other',
      text: 'With safe = true and key_fields, calls of the same operation of the same provider with the same values in those fields run one after the other; calls with other values run at the same time.',
      why: 'Two edits of one file must not meet; edits of two files may.',
      howToSatisfy: 'Lock on provider, operation and values; compare the values as JSON.',
    },
    {
      id: 'CON-06',
      level: 'must',
      title: 'Safe: side by side',
      text: 'With safe = true and no key_fields, calls run at the same time.',
      why: 'Everything slower wastes what the author has promised.',
      howToSatisfy: 'Share the lock of the provider and take no other.',
    },
    {
      id: 'CON-07',
      level: 'must',
      side: ['provider'],
      title: 'Keys are real fields',
      text: 'key_fields name properties of the input schema, and stand only beside safe = true.',
      why: 'A key with a typing error locks nothing.',
      howToSatisfy: 'Correct the name, or drop the list.',
    },
    {
      id: 'CON-08',
      level: 'must',
      title: 'No more locks than needed',
      text: 'Calls with different keys do run at the same time, and no order of calls leads to a deadlock.',
      why: 'A lock that is too wide is a bug that nobody notices until it is slow.',
      howToSatisfy: 'Take all locks of a call in one step, in a fixed order.',
    },
  ],
);

export const TMO = group(
  'TMO',
  'Deadlines',
  ['kernel'],
  [
    {
      id: 'TMO-01',
      level: 'should',
      side: ['provider'],
      title: 'Say how long it takes',
      text: 'Each operation declares a default_timeout.',
      why: 'A second is long for a stat and short for a build; the default of the kernel fits neither.',
      howToSatisfy: 'Choose a time after which something is wrong for sure.',
    },
    {
      id: 'TMO-02',
      level: 'must',
      title: 'Whose deadline counts',
      text: 'The deadline is what the operator has set; where nothing is set, what the operation declares; where it declares nothing, the default of the kernel.',
      why: 'The operator knows the machine, the author knows the operation.',
      howToSatisfy: 'Ask in this order and use the first answer.',
    },
    {
      id: 'TMO-03',
      level: 'must',
      title: 'A deadline ends the call',
      text: 'At the deadline the stream is cancelled and the call ends as timeout, even if the provider ignores the cancellation: it cannot hold up the turn.',
      why: 'One stuck tool would stop the agent for good.',
      howToSatisfy:
        'End the call on your side at once; give the provider a grace time, then kill its process.',
    },
  ],
);

export const EVT = group(
  'EVT',
  'The stream of events',
  ['provider'],
  [
    {
      id: 'EVT-01',
      level: 'must',
      title: 'One end',
      text: 'A stream is closed by exactly one result or error, after which nothing comes.',
      why: 'Whoever waits for the end must be able to trust the first one.',
      howToSatisfy: 'Send the end in one place, after all output has been sent.',
    },
    {
      id: 'EVT-02',
      level: 'must',
      title: 'exit_status, once',
      text: 'When a call has run a child process and that exited, the stream holds one exit_status; no stream holds two.',
      why: 'The exit code is a fact of its own, apart from success and failure.',
      howToSatisfy: 'Send it when the child has been waited for, before the end.',
    },
    {
      id: 'EVT-03',
      level: 'must_not',
      title: 'No exit_status without a process',
      text: 'An operation that runs no process sends no exit_status.',
      why: 'It would be read as the outcome of a command that there never was.',
      howToSatisfy: 'Put numbers of your own into the result.',
    },
    {
      id: 'EVT-04',
      level: 'must_not',
      title: 'Only streaming operations stream',
      text: 'output_chunk, progress and partial_result come only from operations that declare streaming.',
      why: 'Front ends prepare for a stream by this flag.',
      howToSatisfy: 'Set streaming: true, or drop the events.',
    },
    {
      id: 'EVT-05',
      level: 'must',
      side: ['provider', 'kernel'],
      title: 'Output keeps its order',
      text: 'The chunks of output reach every observer in the order in which they were written.',
      why: 'Output out of order is garbage.',
      howToSatisfy: 'One queue from the pipe to the observer; never send two chunks at once.',
    },
    {
      id: 'EVT-06',
      level: 'must',
      side: ['kernel'],
      title: 'A broken stream is unknown',
      text: 'A stream without an end, with two, with events after it, with a fraction outside 0 to 1 or an event of no kind ends as unknown, with what was wrong in details. It does not hang, and it is not taken for a success.',
      why: 'A provider with a bug must cost one call and not the session.',
      howToSatisfy:
        'Check each event against the state of the stream; stop at the first violation.',
    },
    {
      id: 'EVT-07',
      level: 'must',
      side: ['kernel'],
      title: 'Slow observers do not fill memory',
      text: 'An observer that is slow slows the provider down or is cut off. The memory of the kernel does not grow with what is waiting.',
      why: 'A command that prints without end would otherwise end the kernel.',
      howToSatisfy:
        'Read the next event when the last has been taken; let gRPC hold back the sender.',
    },
  ],
);

export const OUT = group(
  'OUT',
  'Output',
  ['kernel'],
  [
    {
      id: 'OUT-01',
      level: 'must',
      title: 'Results are checked',
      text: 'The payload of each result is checked against the output schema before it counts as a result.',
      why: 'Whoever reads the result relies on the schema.',
      howToSatisfy: 'Compile the output schema once and check every payload.',
    },
    {
      id: 'OUT-02',
      level: 'must',
      title: 'What does not fit is refused',
      text: 'A payload that does not fit is refused: the call ends as unknown, and the payload stays out of the history. A warning is not enough.',
      why: 'A wrong result that passes is believed.',
      howToSatisfy: 'Replace the result by an error whose details list every problem.',
    },
  ],
);

export const CAN = group(
  'CAN',
  'Cancelling',
  ['provider'],
  [
    {
      id: 'CAN-01',
      level: 'must',
      side: ['kernel'],
      title: 'Closing is cancelling',
      text: 'A call is cancelled by closing its stream. There is no method for it.',
      why: 'It works for every provider, in any language, and also when the kernel dies.',
      howToSatisfy: 'Cancel the gRPC call.',
    },
    {
      id: 'CAN-02',
      level: 'must',
      title: 'Clean up after a cancellation',
      text: 'A cancelled call is nothing unusual: its child processes are killed, files and sockets closed, buffers dropped.',
      why: 'What is left behind piles up over a long session.',
      howToSatisfy:
        'Hang everything that a call opens on its abort signal; kill process groups, not single processes.',
    },
    {
      id: 'CAN-03',
      level: 'must',
      title: 'Say what was done',
      text: 'A resource that is cancelled tries to report, in a last output_chunk or partial_result, what had already happened.',
      why: 'Half of a change is the state that somebody has to deal with.',
      howToSatisfy: 'Count as you go, and send the count when the signal fires.',
    },
    {
      id: 'CAN-04',
      level: 'must_not',
      title: 'No success after a cancellation',
      text: 'Once cancelled, a call does not end with a result that claims to have done everything.',
      why: 'The kernel could take it for a success that nobody waited for.',
      howToSatisfy: 'Look at the signal before you send the result.',
    },
    {
      id: 'CAN-05',
      level: 'must',
      side: ['kernel'],
      title: 'The report is kept',
      text: 'What a cancelled call reported stands in the journal beside it, so that the record tells what was done in part.',
      why: 'Later, the journal is the only witness.',
      howToSatisfy: 'Go on reading for a moment after the cancellation, and record what comes.',
    },
  ],
);
