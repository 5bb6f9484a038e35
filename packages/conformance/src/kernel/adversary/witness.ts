// What the adversarial provider writes down, and how the checks read it.
import { existsSync, readFileSync } from 'node:fs';
import type { JsonObject } from '@tenon/protocol';

export type WitnessLine =
  | { readonly type: 'started'; readonly env: readonly string[]; readonly values: string }
  | {
      readonly type: 'invoke';
      readonly operation: string;
      readonly token: string;
      readonly arguments: JsonObject;
      readonly context: {
        readonly sessionId: string;
        readonly turnId: string;
        readonly workingDirectory: string;
      };
    }
  | { readonly type: 'cancelled' | 'ended'; readonly token: string }
  | { readonly type: 'preview'; readonly operation: string; readonly token: string }
  | { readonly type: 'hook' };

export type Witnessed = WitnessLine & { readonly at: number; readonly pid: number };

export function readWitness(path: string): Witnessed[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Witnessed);
}
