// Works out edits of one or more files; edits of one file build upon each other in their order. Nothing is written.
// Every edit that cannot be done is reported, not the first alone.
import { fail, isToolError, type JsonObject } from '@tenon/provider';
import { mustExist } from '../path/access.js';
import type { ResolvedPath } from '../path/resolve.js';
import { type EditResult, editText } from '../text/edit.js';
import { type DecodedText, encodeFile } from '../text/encoding.js';
import {
  type ChangeContext,
  changedSinceRead,
  checkExpected,
  editableText,
  type PlannedChange,
  resolveForChange,
} from './planned.js';
import { readWhole, type WholeFile } from './read-whole.js';

export interface Edit {
  readonly path: string;
  readonly old: string;
  readonly new: string;
  readonly replace_all?: boolean | undefined;
  readonly expected_hash?: string | undefined;
}

export interface PlannedEdits extends PlannedChange {
  readonly before: WholeFile;
  readonly textBefore: string;
  readonly textAfter: string;
  /** Line numbers of the replacements, each in the text before its edit. */
  readonly lines: readonly number[];
  readonly notes: readonly string[];
}

/** One per file, in the order in which the files are named first. */
export async function planEdits(
  edits: readonly Edit[],
  context: ChangeContext,
): Promise<PlannedEdits[]> {
  const files = new Map<string, FileEdits>();
  const problems: Problem[] = [];
  for (const [index, edit] of edits.entries()) {
    try {
      await planOne(edit, files, context);
    } catch (error) {
      if (!isToolError(error)) throw error;
      if (edits.length === 1) throw error;
      problems.push({ index, error });
    }
  }
  if (problems.length > 0) throw allProblems(problems, edits.length);
  return [...files.values()].map(finish);
}

interface FileEdits {
  readonly path: ResolvedPath;
  readonly before: WholeFile;
  readonly decoded: DecodedText;
  text: string;
  readonly lines: number[];
  readonly notes: string[];
}

interface Problem {
  readonly index: number;
  readonly error: ReturnType<typeof fail.executionFailed>;
}

async function planOne(
  edit: Edit,
  files: Map<string, FileEdits>,
  context: ChangeContext,
): Promise<void> {
  if (edit.old === '') {
    throw fail.invalidArguments('old is empty; to make or replace a whole file, use write_file');
  }
  if (edit.old === edit.new) throw fail.invalidArguments('old and new are the same');
  const path = await resolveForChange(edit.path, context);
  let file = files.get(path.real);
  if (file === undefined) {
    mustExist(path);
    const before = await readWhole(path, context.config.max_edit_bytes, context.signal);
    const decoded = editableText(path, before);
    const notes = changedSinceRead(path, before, context)
      ? ['The file had changed since it was read in this session.']
      : [];
    file = { path, before, decoded, text: decoded.text, lines: [], notes };
    files.set(path.real, file);
  }
  checkExpected(path, file.before, edit.expected_hash);
  const result = editText(file.text, {
    old: edit.old,
    new: edit.new,
    replaceAll: edit.replace_all ?? false,
  });
  if (result.type !== 'edited') throw refusal(path, result);
  if (file.decoded.encode(result.text) === undefined) {
    throw fail.invalidArguments(
      `"${path.given}" is no UTF-8 file, and Windows-1252, as which it is read, lacks a character of new`,
      { path: path.given, encoding: file.decoded.encoding },
    );
  }
  file.text = result.text;
  file.lines.push(...result.lines);
  if (result.note !== undefined) file.notes.push(result.note);
}

function refusal(path: ResolvedPath, result: Exclude<EditResult, { type: 'edited' }>) {
  if (result.type === 'ambiguous') {
    const lines = result.lines.slice(0, 50);
    const more = result.lines.length > lines.length ? ', …' : '';
    return fail.executionFailed(
      `old stands ${result.lines.length} times in "${path.given}", on lines ${lines.join(', ')}${more}: add lines around it until it is unique, or set replace_all`,
      { path: path.given, lines, matches: result.lines.length },
    );
  }
  const found = result.candidates;
  const hint =
    found.length === 0
      ? 'nothing in the file is like it; read the file again'
      : `nearest are ${found.map(({ line, why }) => `line ${line} (${why})`).join(', ')}; copy the text exactly as it is in the file`;
  return fail.executionFailed(`old does not stand in "${path.given}": ${hint}`, {
    path: path.given,
    candidates: found.map((candidate) => ({ ...candidate })),
  });
}

function allProblems(problems: readonly Problem[], count: number) {
  const listed = problems.map(({ index, error }) => `edit ${index + 1}: ${error.message}`);
  const [first] = problems;
  const same = problems.every(({ error }) => error.category === first?.error.category);
  const make =
    same && first?.error.category === 'permission_denied'
      ? fail.permissionDenied
      : fail.executionFailed;
  return make(
    `no file was changed: ${problems.length} of ${count} edits cannot be done. ${listed.join('. ')}`,
    {
      problems: problems.map(
        ({ index, error }): JsonObject => ({
          edit: index + 1,
          category: error.category,
          message: error.message,
          ...(error.details === undefined ? {} : { details: error.details }),
        }),
      ),
    },
  );
}

function finish(file: FileEdits): PlannedEdits {
  const bytes = encodeFile(file.decoded, file.text);
  if (bytes === undefined) throw fail.unknown(`"${file.path.given}" could not be encoded again`);
  return {
    path: file.path,
    before: file.before,
    bytes,
    textBefore: file.decoded.text,
    textAfter: file.text,
    lines: file.lines,
    notes: file.notes,
  };
}
