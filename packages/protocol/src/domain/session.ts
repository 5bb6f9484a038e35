// How a session stands or ended, in the words of the protocol.

export const SESSION_STATUSES = [
  'running',
  'completed',
  'error_max_turns',
  'error_max_budget_usd',
  'error_max_wall_clock',
  'cancelled',
  'failed',
] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
