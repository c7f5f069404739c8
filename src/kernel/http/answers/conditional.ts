import { hash } from 'node:crypto';
import { preconditionFailed } from '../errors.js';

/** Weak entity tag of a body. */
export const entityTag = (body: string | Buffer): string => `W/"${hash('sha1', body, 'hex')}"`;

const bare = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` names the tag: weak comparison (RFC 9110 13.1.2). */
export function isUnmodified(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => bare(one) === bare(tag));
}

/**
 * Refuses a request whose `If-Match` does not name the tag: strong comparison, by which weak tags, and none, are never the same (RFC 9110 13.1.1).
 * @throws 412
 */
export function assertMatch(header: string | undefined, tag: string | null): void {
  if (header === undefined || header.trim() === '*') return;
  const isNamed = tag?.startsWith('"') && header.split(',').some((one) => one.trim() === tag);
  if (!isNamed) throw preconditionFailed();
}

/**
 * Refuses a DELETE whose `If-Unmodified-Since` lies before the last change, at the precision of seconds; a header that is no
 * date is ignored (`decisions.md` 2.10).
 * @throws 412
 */
export function assertUnmodifiedSince(header: string | string[] | undefined, updatedAt: Date): void {
  if (typeof header !== 'string') return;
  const limit = Date.parse(header);
  if (Number.isNaN(limit)) return;
  if (Math.floor(updatedAt.getTime() / 1000) > Math.floor(limit / 1000)) throw preconditionFailed();
}
