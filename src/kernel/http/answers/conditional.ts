import { hash } from 'node:crypto';
import { preconditionFailed } from '../errors.js';

/** Weak entity tag of a body. */
export const entityTag = (body: string | Buffer): string => `W/"${hash('sha1', body, 'hex')}"`;

const bare = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` matches the tag: weak comparison (RFC 9110 13.1.2). */
export function isUnmodified(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => bare(one) === bare(tag));
}

/**
 * Rejects a request whose `If-Match` does not match the tag: strong comparison, in which a weak or missing
 * tag never matches (RFC 9110 13.1.1).
 * @throws 412
 */
export function assertMatch(header: string | undefined, tag: string | null): void {
  if (header === undefined || header.trim() === '*') return;
  const isNamed = tag?.startsWith('"') && header.split(',').some((one) => one.trim() === tag);
  if (!isNamed) throw preconditionFailed();
}

/**
 * Rejects a DELETE whose `If-Unmodified-Since` is before the last change, to the second; an invalid date is
 * ignored (`decisions.md` 2.10).
 * @throws 412
 */
export function assertUnmodifiedSince(header: string | string[] | undefined, updatedAt: Date): void {
  if (typeof header !== 'string') return;
  const limit = Date.parse(header);
  if (Number.isNaN(limit)) return;
  if (Math.floor(updatedAt.getTime() / 1000) > Math.floor(limit / 1000)) throw preconditionFailed();
}
