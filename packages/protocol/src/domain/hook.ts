// Hook points and modes (HKP-01, HKP-02, GATE-08).

export const HOOK_POINTS = [
  'session_start',
  'pre_model_call',
  'post_model_response',
  'pre_tool_call',
  'plan_ready',
  'post_tool_call',
  'post_apply',
  'session_end',
] as const;
export type HookPoint = (typeof HOOK_POINTS)[number];
export type HookMode = 'observe' | 'transform' | 'veto';
export type HookErrorCategory =
  | 'transform_failed'
  | 'veto_failed'
  | 'timeout'
  | 'invalid_response'
  | 'process_crashed'
  | 'unknown';
