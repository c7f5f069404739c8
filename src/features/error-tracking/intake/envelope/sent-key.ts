import type { Request } from 'express';

/** `Sentry sentry_version=7, sentry_key=abc, ...`, with or without blanks. */
const IN_HEADER = /(?:^|[\s,])sentry_key=([^\s,]*)/i;
const SCHEME = /^sentry\s/i;
/** The part before the host; old DSNs have an obsolete secret after a colon. */
const IN_DSN = /^https?:\/\/([^\s:@/?#]+)(?::[^\s@/?#]*)?@/i;

/**
 * Returns the key sent besides the body, from the first place with one (`ops.md` 6.4); null if there is none.
 */
export function sentKey({ query, headers }: Pick<Request, 'query' | 'headers'>): string | null {
  const { sentry_key: inQuery } = query;
  if (typeof inQuery === 'string') return inQuery;
  const { 'x-sentry-auth': own, authorization } = headers;
  return (
    keyIn(typeof own === 'string' ? own : undefined) ??
    keyIn(authorization !== undefined && SCHEME.test(authorization) ? authorization : undefined)
  );
}

/** Returns the key in the DSN of an envelope's first line. */
export function keyOfDsn(dsn: unknown): string | null {
  return typeof dsn === 'string' ? (IN_DSN.exec(dsn)?.[1] ?? null) : null;
}

const keyIn = (header: string | undefined): string | null =>
  header === undefined ? null : (IN_HEADER.exec(header)?.[1] ?? null);
