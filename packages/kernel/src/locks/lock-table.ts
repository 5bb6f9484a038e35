// The locks of one provider's calls (CON-04..08): fair, without needless delay, free of deadlock. Pure data
// structure without clock or IO; every operation costs O(1) per key of the call.
//
// A ticket waits only for earlier tickets that conflict with it: those that share a key, and all others
// when one of the two is exclusive. It enters all of its queues in one step, so that waiting always points
// to earlier tickets and can never go in a circle. A later ticket never overtakes an earlier one with
// which it conflicts; with others it never meets.

declare const brand: unique symbol;

/** The canonical text of one lock key; keys.ts makes them. */
export type LockKey = string & { readonly [brand]: 'LockKey' };

/** `shared`: beside other shared calls, alone per key. `exclusive`: alone in the provider (CON-04). */
export type LockMode = 'shared' | 'exclusive';

/** A place in the queues, and later the hold of the locks. */
export interface LockTicket {
  readonly mode: LockMode;
  readonly keys: readonly LockKey[];
  /** Resolves to true when it holds all its locks, to false when it was cancelled before. Never rejects. */
  readonly granted: Promise<boolean>;
  state(): 'waiting' | 'held' | 'released' | 'cancelled';
  /** Ends the hold; a second time does nothing. A waiting ticket is cancelled. */
  release(): void;
  /** Leaves the queues; a held ticket is left alone. */
  cancel(): void;
}

export interface LockTable {
  /** Enters the queues at once, in the order of the calls of this function. */
  request(keys: readonly LockKey[], mode: LockMode): LockTicket;
  /** What the table remembers now; all zero when no ticket is live. */
  size(): { readonly keys: number; readonly held: number; readonly waiting: number };
}

/** One ticket's place in the queue of one key. */
interface Place {
  readonly ticket: Entry;
  readonly queue: KeyQueue;
  previous: Place | undefined;
  next: Place | undefined;
}

interface KeyQueue {
  readonly key: LockKey;
  head: Place | undefined;
  tail: Place | undefined;
}

/** Neighbouring tickets of one mode; an exclusive one is a group of its own. */
interface Group {
  readonly mode: LockMode;
  readonly members: Set<Entry>;
  /** All groups before it are shared and it is shared too, or it is the first. */
  open: boolean;
  previous: Group | undefined;
  next: Group | undefined;
}

interface Entry {
  readonly group: Group;
  readonly places: Place[];
  /** Queues in which another one comes first, the group order counting as one. */
  blockers: number;
  state: 'waiting' | 'held' | 'released' | 'cancelled';
  readonly settle: (granted: boolean) => void;
}

/** An empty table. */
export function createLockTable(): LockTable {
  const queues = new Map<LockKey, KeyQueue>();
  let last: Group | undefined;
  let held = 0;
  let waiting = 0;

  function joinGroup(mode: LockMode): Group {
    if (mode === 'shared' && last?.mode === 'shared') return last;
    const open = last === undefined;
    const group: Group = { mode, members: new Set(), open, previous: last, next: undefined };
    if (last !== undefined) last.next = group;
    last = group;
    return group;
  }

  function joinQueue(key: LockKey, ticket: Entry): boolean {
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = { key, head: undefined, tail: undefined };
      queues.set(key, queue);
    }
    const place: Place = { ticket, queue, previous: queue.tail, next: undefined };
    if (queue.tail === undefined) queue.head = place;
    else queue.tail.next = place;
    queue.tail = place;
    ticket.places.push(place);
    return place.previous === undefined;
  }

  function unblock(ticket: Entry): void {
    ticket.blockers--;
    if (ticket.blockers > 0) return;
    ticket.state = 'held';
    waiting--;
    held++;
    ticket.settle(true);
  }

  function leaveQueue(place: Place): void {
    const { queue, previous, next } = place;
    if (previous === undefined) queue.head = next;
    else previous.next = next;
    if (next === undefined) queue.tail = previous;
    else next.previous = previous;
    if (queue.head === undefined) queues.delete(queue.key);
    else if (previous === undefined && next !== undefined) unblock(next.ticket);
  }

  function leaveGroup(ticket: Entry): void {
    const { group } = ticket;
    group.members.delete(ticket);
    if (group.members.size > 0) return;
    const { previous, next } = group;
    if (previous !== undefined) previous.next = next;
    if (next === undefined) last = previous;
    else next.previous = previous;
    openFrom(next);
  }

  /** Opens the groups that the end of their predecessor has brought to the front. */
  function openFrom(start: Group | undefined): void {
    let group = start;
    while (group !== undefined && !group.open) {
      const { previous } = group;
      const mayRun =
        previous === undefined ||
        (group.mode === 'shared' && previous.mode === 'shared' && previous.open);
      if (!mayRun) return;
      group.open = true;
      for (const member of group.members) unblock(member);
      group = group.next;
    }
  }

  function leave(ticket: Entry, state: 'released' | 'cancelled'): void {
    if (ticket.state === 'held') held--;
    else waiting--;
    ticket.state = state;
    for (const place of ticket.places) leaveQueue(place);
    leaveGroup(ticket);
  }

  return {
    request(keys, mode) {
      let settle: (granted: boolean) => void = () => undefined;
      const granted = new Promise<boolean>((resolve) => {
        settle = resolve;
      });
      const group = joinGroup(mode);
      const ticket: Entry = { group, places: [], blockers: 0, state: 'waiting', settle };
      group.members.add(ticket);
      if (!group.open) ticket.blockers++;
      const distinct = keys.length < 2 ? keys : [...new Set(keys)];
      for (const key of distinct) if (!joinQueue(key, ticket)) ticket.blockers++;
      waiting++;
      if (ticket.blockers === 0) {
        ticket.blockers = 1;
        unblock(ticket);
      }
      const cancel = (): void => {
        if (ticket.state !== 'waiting') return;
        leave(ticket, 'cancelled');
        ticket.settle(false);
      };
      return {
        mode,
        keys: distinct,
        granted,
        state: () => ticket.state,
        cancel,
        release() {
          if (ticket.state === 'held') leave(ticket, 'released');
          else cancel();
        },
      };
    },
    size: () => ({ keys: queues.size, held, waiting }),
  };
}
