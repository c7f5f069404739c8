import type { SourceLimits } from './source-limits.js';

/**
 * Returns the delay that a source requests, in seconds or as a date, within bounds; the default if it is
 * missing or invalid.
 */
export function retryAfterMs(header: string | undefined, limits: SourceLimits, now = Date.now()): number {
  const text = header?.trim() ?? '';
  const wanted = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (!Number.isFinite(wanted)) return limits.retryMs;
  return Math.min(Math.max(wanted, limits.leastRetryMs), limits.mostRetryMs);
}
