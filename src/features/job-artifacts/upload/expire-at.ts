import { invalid } from '#kernel/http/errors.js';
import { parseDuration } from '#core/instance/duration.js';

/** The furthest date that everything can hold. */
const LATEST = Date.UTC(9999, 11, 31);

/** When an artifact expires, from the words of its job or else of the instance; null for never. @throws 400 for words that are no duration */
export function expireAt(sent: string | undefined, byDefault: string, now = Date.now()): Date | null {
  const words = (sent?.trim() || byDefault).trim().toLowerCase();
  if (words === 'never') return null;
  const seconds = parseDuration(words);
  if (seconds === null) throw invalid({ expire_in: ['is invalid'] });
  return seconds === 0 ? null : new Date(Math.min(now + seconds * 1000, LATEST));
}
