import type { Report } from '../report/report.js';
export async function conformKernel(_options: unknown): Promise<Report> {
  throw new Error('not yet');
}
