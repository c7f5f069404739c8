import type { ListQuery, Statement } from '#kernel/database/lists/list-query.js';
import type { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ReplicaReads } from '#kernel/database/replica/replica-reads.js';
import { HttpError, invalid, keysetUnavailable, missingAttribute } from '../errors.js';
import { linkHeader, type LinkTarget } from './link-header.js';
import { keysetPosition, loadKeyset } from './keyset-page.js';
import type { PageParams } from './page.params.js';
import { COUNT_HORIZON, isOverCountLimit, rememberOverLimit } from './totals.js';

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 100;

/** Limit of rows above which the totals are left out (`api-v4.md` 8). */
export const COUNT_LIMIT = 10_000;

/** Larger offsets are read on connections where they delay no other reads. */
const SHORT_OFFSET = 2_000;

/** What a page needs from its request. */
export interface PageRequest {
  readonly params: PageParams;
  /** Absolute URL of the request without query. */
  readonly url: string;
  /** All parameters as sent, path included, for the links. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Limit of page x per_page; 0 for none. */
  readonly offsetLimit: number;
  readonly database: ReadDatabase;
  readonly replica: ReplicaReads;
  /** The list supports keyset pagination in its own order: neither order_by nor sort is needed. */
  readonly ownKeyset?: boolean;
}

/** Rows from outside a table: one more than the page shows means that there are more. */
export interface ReadRows<Row> {
  readonly rows: readonly Row[];
  /**
   * All rows of the list, or a function that counts them up to a horizon, if the page itself does not tell;
   * null if there are too many to report.
   */
  readonly total: number | ((horizon: number) => Promise<number>) | null;
}

/** The requested page of a list: loads its rows and provides the response headers. */
export class Page {
  readonly number: number;
  readonly perPage: number;
  readonly isKeyset: boolean;
  private written: Readonly<Record<string, string>> = {};

  constructor(readonly request: PageRequest) {
    const { page, per_page: perPage, pagination, order_by: orderBy, sort } = request.params;
    if (perPage === 0) throw invalid({ per_page: ['has a value not allowed'] });
    this.number = page === undefined || page < 1 ? 1 : page;
    this.perPage = perPage === undefined || perPage < 0 ? DEFAULT_PER_PAGE : Math.min(perPage, MAX_PER_PAGE);
    this.isKeyset = pagination === 'keyset';
    if (request.ownKeyset) return;
    if (this.isKeyset && orderBy === undefined) throw missingAttribute('order_by');
    if (this.isKeyset && sort === undefined) throw missingAttribute('sort');
  }

  /** Headers of the response; empty until the rows are loaded. */
  get headers(): Readonly<Record<string, string>> {
    return this.written;
  }

  /** Loads the rows of this page in one statement, and the totals, if needed, in another. */
  async load<Row extends object>(query: ListQuery<Row>): Promise<Row[]> {
    if (this.isKeyset) {
      const { rows, headers } = await loadKeyset(this, query, keysetPosition(this.request.params, query));
      this.written = headers;
      return rows;
    }
    this.refuseDeepOffset(query.shape.kind);
    const offset = (this.number - 1) * this.perPage;
    const statement = query.pageStatement(this.perPage + 1, offset);
    const rows = await this.run<Row>(query, statement, offset > SHORT_OFFSET);
    const hasNext = rows.length > this.perPage;
    if (hasNext) rows.pop();
    this.written = this.offsetHeaders(hasNext, await this.total(query, offset, rows, hasNext));
    return rows;
  }

  /** Extracts this page from rows that are already in memory (short lists not stored in a table). */
  slice<Row>(rows: readonly Row[]): Row[] {
    if (this.isKeyset) throw keysetUnavailable();
    const offset = (this.number - 1) * this.perPage;
    this.written = this.offsetHeaders(rows.length > offset + this.perPage, rows.length);
    return rows.slice(offset, offset + this.perPage);
  }

  /** Loads the rows of this page from outside the database; `kind` names them in errors. */
  async from<Row>(
    kind: string,
    read: (limit: number, offset: number) => Promise<ReadRows<Row>>,
  ): Promise<Row[]> {
    if (this.isKeyset) throw keysetUnavailable();
    this.refuseDeepOffset(kind);
    const offset = (this.number - 1) * this.perPage;
    const { rows, total } = await read(this.perPage + 1, offset);
    const hasNext = rows.length > this.perPage;
    const all = typeof total === 'function' ? await countedFrom(total, offset, rows.length, hasNext) : total;
    this.written = this.offsetHeaders(hasNext, all === null || overLimit(all) ? null : all);
    return rows.slice(0, this.perPage);
  }

  /**
   * Sets the headers of a keyset page in an order of the list's own; `next` are the parameters of the next
   * page, null at the end.
   */
  walked(next: LinkTarget['changes'] | null): void {
    this.written = next === null ? {} : { Link: this.links([{ rel: 'next', changes: next }]) };
  }

  /** Runs a statement of the list on the server that may answer, on a connection where it delays no other reads. */
  run<Row extends object>(
    query: ListQuery<Row>,
    { text, values }: Statement,
    isLong = false,
  ): Promise<Row[]> {
    const { database, replica } = this.request;
    const isSlow = isLong || query.isLong;
    if (query.isForReplica && replica.isConfigured) return replica.rows<Row>({ text, values }, isSlow);
    return isSlow ? database.long<Row>(text, values) : database.short<Row>(text, values);
  }

  /** Returns the Link header for some targets. */
  links(targets: readonly LinkTarget[]): string {
    return linkHeader(this.request.url, this.request.raw, targets);
  }

  /** Whether a page of this size is not behind the limit of offsets, which refuses it. */
  mayShow(number: number): boolean {
    const { offsetLimit } = this.request;
    return offsetLimit === 0 || number * this.perPage <= offsetLimit;
  }

  private refuseDeepOffset(kind: string): void {
    const { offsetLimit } = this.request;
    if (this.mayShow(this.number)) return;
    throw new HttpError(405, {
      error: `Offset pagination has a maximum allowed offset of ${offsetLimit} for requests that return objects of type ${kind}. Remaining records can be retrieved using keyset pagination.`,
    });
  }

  /** Null if there are more than COUNT_LIMIT rows. A page that is not full reveals the total. */
  private async total<Row extends object>(
    query: ListQuery<Row>,
    offset: number,
    rows: readonly Row[],
    hasNext: boolean,
  ): Promise<number | null> {
    const loaded = rows.length;
    const counted = (rows[0] as { page_total?: number | null } | undefined)?.page_total;
    if (typeof counted === 'number') {
      if (counted === COUNT_HORIZON) rememberOverLimit(query.countStatement(COUNT_HORIZON));
      return overLimit(counted) ? null : counted;
    }
    if (!hasNext && (loaded > 0 || offset === 0)) return overLimit(offset + loaded) ? null : offset + loaded;
    if (offset + loaded >= COUNT_LIMIT && hasNext) return null;
    const statement = query.countStatement(COUNT_HORIZON);
    if (isOverCountLimit(statement)) return null;
    const [row] = await this.run(query, statement);
    const total = (row as { total?: number } | undefined)?.total ?? 0;
    if (!overLimit(total)) return total;
    if (total >= COUNT_HORIZON) rememberOverLimit(statement);
    return null;
  }

  private offsetHeaders(hasNext: boolean, total: number | null): Record<string, string> {
    const pages = total === null ? null : Math.max(1, Math.ceil(total / this.perPage));
    const isBeyond = pages !== null && this.number > pages;
    const previous = this.number > 1 && !isBeyond ? this.number - 1 : null;
    const next = hasNext ? this.number + 1 : null;
    const perPage = this.request.params.per_page ?? this.perPage;
    const to = (rel: LinkTarget['rel'], page: number): LinkTarget => ({
      rel,
      changes: { page, per_page: perPage },
    });
    const targets = [
      ...(previous === null ? [] : [to('prev', previous)]),
      ...(next === null ? [] : [to('next', next)]),
      to('first', 1),
      ...(pages === null ? [] : [to('last', pages)]),
    ];
    return {
      'X-Per-Page': String(this.perPage),
      'X-Page': String(this.number),
      'X-Next-Page': next === null ? '' : String(next),
      'X-Prev-Page': previous === null ? '' : String(previous),
      ...(total === null || pages === null
        ? {}
        : { 'X-Total': String(total), 'X-Total-Pages': String(pages) }),
      Link: this.links(targets),
    };
  }
}

/** A page that is not full, or that is beyond the limit, reveals enough. */
async function countedFrom(
  count: (horizon: number) => Promise<number>,
  offset: number,
  loaded: number,
  hasNext: boolean,
): Promise<number> {
  const seen = offset + loaded;
  const isEnough = (!hasNext && (loaded > 0 || offset === 0)) || (loaded > 0 && overLimit(seen));
  return isEnough ? seen : count(COUNT_LIMIT + 1);
}

const overLimit = (total: number): boolean => total > COUNT_LIMIT;
