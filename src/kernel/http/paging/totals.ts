import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Statement } from '#kernel/database/lists/list-query.js';

/** "More than 10,000" is cached for a minute per list and filter; a total at or below that never is. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;
const remembered = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });

/** A digest, because a filter may have thousands of long texts. */
const keyOf = ({ text, values }: Statement): string => hash('sha256', `${text}\n${JSON.stringify(values)}`);

/** Whether this list was counted above the limit within the last minute. */
export const isOverCountLimit = (statement: Statement): boolean =>
  remembered.size > 0 && remembered.has(keyOf(statement));

/**
 * Limit of counting. Only a list this far above the limit is cached, so that deleting a few rows brings back
 * the totals at once.
 */
export const COUNT_HORIZON = 11_000;

/** Caches that this list is far above the limit. */
export function rememberOverLimit(statement: Statement): void {
  remembered.set(keyOf(statement), true);
}
