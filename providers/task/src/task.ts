// What a task is, in memory, on disk and on the wire.
import * as z from 'zod';

export const status = z.enum(['pending', 'in_progress', 'done', 'cancelled']);

export const taskSchema = z.object({
  id: z.string().describe('Its number in the session, from 1.'),
  title: z.string().describe('What is to be done, in a line.'),
  notes: z.string().describe('Details, decisions, results.'),
  status: status.describe('How far it is.'),
  created_at: z.string().describe('ISO 8601, UTC.'),
  updated_at: z.string().describe('ISO 8601, UTC.'),
});

export type Task = z.infer<typeof taskSchema>;
