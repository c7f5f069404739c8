import { invalid } from '#kernel/http/errors.js';
import { parseDuration } from '#core/instance/duration.js';

/** Latest date that all systems can represent. */
const LATEST = Date.UTC(9999, 11, 31);

/**
 * Returns when an artifact expires, by the setting of its job or else of the instance; null for never.
 * @throws 400 if the duration is invalid
 */
export function expireAt(sent: string | undefined, byDefault: string, now = Date.now()): Date | null {
  const words = (sent?.trim() || byDefault).trim().toLowerCase();
  if (words === 'never') return null;
  const seconds = parseDuration(words);
  if (seconds === null) throw invalid({ expire_in: ['is invalid'] });
  return seconds === 0 ? null : new Date(Math.min(now + seconds * 1000, LATEST));
}
