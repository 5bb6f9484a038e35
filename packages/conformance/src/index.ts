// Public index of @tenon/conformance. Light: what does the work is loaded when it is called.

/** Adds `tenon conform` to a commander program. */
export { registerConform } from './cli.js';
/** The kit inside of a test runner: one test per requirement. */
export { checkKernel, checkProvider, ConformanceError } from './library.js';
export type { CheckOptions, CheckProviderOptions, TestRunner } from './library.js';
/** What a run has found, as `--report json=…` writes it. */
export type { MatrixRow, Outcome, Report } from './report/report.js';
export type { CheckInfo, CheckResult, Finding, Verdict } from './model/check.js';
export type { ConformOptions } from './conform.js';
export type { ConformKernelOptions } from './kernel/conform-kernel.js';
/** What an adapter and the kit say to each other. */
export type * from './kernel/protocol.js';
export type { AdapterHandlers } from './kernel/adapter-server.js';

/** Runs the checks of providers and gives the report. Rejects with CaseFileError and the like, never for a failure. */
export async function runProviderChecks(
  options: import('./conform.js').ConformOptions,
): Promise<import('./report/report.js').Report> {
  return (await import('./conform.js')).conform(options);
}

/** Runs the checks of kernels against an adapter and gives the report. */
export async function runKernelChecks(
  options: import('./kernel/conform-kernel.js').ConformKernelOptions,
): Promise<import('./report/report.js').Report> {
  return (await import('./kernel/conform-kernel.js')).conformKernel(options);
}

/** Serves the adapter protocol on stdin and stdout with a kernel's handlers, for adapters written on Node. */
export async function serveKernelAdapter(
  handlers: import('./kernel/adapter-server.js').AdapterHandlers,
): Promise<void> {
  await (await import('./kernel/adapter-server.js')).serveAdapter(handlers);
}
