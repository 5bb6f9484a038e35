// The list of all checks of a kernel: data alone.
import type { CheckInfo } from '../model/check.js';

export const KERNEL_CHECKS: readonly CheckInfo[] = [];
