import { LRUCache } from 'lru-cache';
import type { Statement } from '#kernel/database/lists/list-query.js';

/** "More than 10,000" is remembered for a minute for each list and filter; no total at or below it ever is. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;
const remembered = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });

const keyOf = ({ text, values }: Statement): string => `${text}\n${JSON.stringify(values)}`;

/** Whether this list was counted above the limit within the last minute. */
export const isOverCountLimit = (statement: Statement): boolean => remembered.has(keyOf(statement));

/**
 * Counting goes on to here: only a list this far above the limit is remembered, so that deleting a few rows brings the
 * totals back at once.
 */
export const COUNT_HORIZON = 11_000;

/** Remembers that this list is far above the limit. */
export function rememberOverLimit(statement: Statement): void {
  remembered.set(keyOf(statement), true);
}
