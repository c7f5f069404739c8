import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isPlainObject } from '#kernel/http/plain-object.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import type { SourceQuery } from './source-api.js';
import { SourceRefused } from './source-errors.js';
import type { JsonAnswer } from './source-http.js';

const PER_PAGE = 100;
const LINK = /<([^<>]{1,4096})>;\s*rel="?next"?/;

/**
 * Reads the pages of a list on demand: by `X-Next-Page`, or by the query of the link to the next page. A
 * repeated page means a cycle, since no list has two equal pages.
 */
export async function* sourcePages(
  get: (query: SourceQuery) => Promise<JsonAnswer>,
  query: SourceQuery,
  maxPages: number,
): AsyncIterable<readonly SourceRecord[]> {
  const asked = new Set<string>();
  const seen = new Set<string>();
  let next: SourceQuery | null = { ...query, per_page: PER_PAGE, page: 1 };
  while (next !== null) {
    if (asked.size >= maxPages) throw new SourceRefused('A list of the source instance does not end');
    remember(asked, keyOf(next));
    const { value, headers }: JsonAnswer = await get(next);
    if (!Array.isArray(value)) throw new SourceRefused('The source instance did not respond with a list');
    if (value.length > 0) remember(seen, createHash('sha256').update(JSON.stringify(value)).digest('base64'));
    yield value.filter(isPlainObject);
    next = nextOf(next, headers);
  }
}

const keyOf = (query: SourceQuery): string =>
  JSON.stringify(
    Object.entries(query)
      .map(([name, value]) => `${name}=${value}`)
      .sort(),
  );

function remember(known: Set<string>, what: string): void {
  if (known.has(what)) throw new SourceRefused('The pages of the source instance go in circles');
  known.add(what);
}

function nextOf(query: SourceQuery, headers: IncomingHttpHeaders): SourceQuery | null {
  const { 'x-next-page': page, link: links } = headers;
  if (typeof page === 'string' && page !== '')
    return /^\d{1,9}$/.test(page) ? { ...query, page: Number(page) } : null;
  const link = LINK.exec(typeof links === 'string' ? links : '')?.[1];
  if (link === undefined || !URL.canParse(link, 'http://source')) return null;
  // Use only the query: the source must not choose the URL. Keyset pages have no number.
  const given = Object.fromEntries(new URL(link, 'http://source').searchParams);
  return Object.keys(given).length > 0 ? given : null;
}
