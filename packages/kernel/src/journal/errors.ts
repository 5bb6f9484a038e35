// What can be wrong with a journal file.

export type JournalProblem =
  | 'missing'
  | 'not_a_journal'
  | 'newer'
  | 'damaged'
  | 'read_only'
  | 'unwritable'
  | 'busy'
  | 'closed';

/** A journal that cannot be opened, read or written. The message says which file and what to do. */
export class JournalError extends Error {
  readonly problem: JournalProblem;
  readonly path: string;
  constructor(problem: JournalProblem, path: string, message: string, options?: ErrorOptions) {
    super(`journal ${path}: ${message}`, options);
    this.name = 'JournalError';
    this.problem = problem;
    this.path = path;
  }
}

/** The JournalError for what SQLite said. */
export function journalErrorOf(path: string, error: unknown): JournalError {
  if (error instanceof JournalError) return error;
  const text = error instanceof Error ? error.message : String(error);
  const made = (problem: JournalProblem, message: string): JournalError =>
    new JournalError(problem, path, message, { cause: error });
  if (/not a database|file is encrypted/i.test(text)) {
    return made('not_a_journal', 'it is no SQLite file; name another path, or move the file away');
  }
  if (/malformed|corrupt|disk image/i.test(text)) {
    return made(
      'damaged',
      `it is damaged (${text}); move it away, and try "sqlite3 FILE .recover" on a copy of it`,
    );
  }
  if (/readonly|read-only|read only/i.test(text)) {
    return made('read_only', 'it cannot be written: the file or its folder is read-only');
  }
  if (/locked|busy/i.test(text)) {
    return made('busy', `another process holds it (${text}); try again when that has ended`);
  }
  if (/unable to open/i.test(text)) {
    return made(
      'unwritable',
      `it cannot be opened (${text}); check that its folder exists and can be written`,
    );
  }
  return made('unwritable', text);
}
