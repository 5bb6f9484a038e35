// A display-agnostic picture of a payload (RND-01, PRV-01), painted by a front end.
import type { JsonObject } from './json.js';

export type TextStyle =
  | 'normal'
  | 'bold'
  | 'italic'
  | 'code'
  | 'dim'
  | 'error'
  | 'warning'
  | 'success';

export interface DiffLine {
  readonly op: 'context' | 'add' | 'remove';
  readonly text: string;
}
export interface DiffHunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly DiffLine[];
}

export type RenderNode =
  | { readonly type: 'text'; readonly content: string; readonly style?: TextStyle }
  | { readonly type: 'code_block'; readonly language?: string; readonly content: string }
  | { readonly type: 'diff'; readonly hunks: readonly DiffHunk[] }
  | {
      readonly type: 'table';
      readonly headers: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly type: 'link'; readonly text: string; readonly url: string }
  | { readonly type: 'list'; readonly items: readonly RenderNode[]; readonly ordered: boolean }
  | { readonly type: 'group'; readonly children: readonly RenderNode[] }
  | {
      readonly type: 'collapsible';
      readonly summary: string;
      readonly children: readonly RenderNode[];
      readonly collapsedByDefault: boolean;
    }
  | { readonly type: 'sub_session'; readonly sessionId: string; readonly summary: string }
  | {
      readonly type: 'action';
      readonly id: string;
      readonly label: string;
      readonly toolName: string;
      readonly args: JsonObject;
      readonly provider: string;
    }
  /** A node of a newer peer that this version does not know. */
  | { readonly type: 'unknown' };

export interface RenderTree {
  readonly root: RenderNode;
}
