import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import '#kernel/database/reads/pg-types.js';

/** Work of a request may end a moment after its response. */
const SETTLE_MS = 100;

/** Columns and properties that differ between requests, whoever writes them. */
const OWN = /(^|_)(id|iid|at|sha|digest|tick|value|count|key|fingerprint|duration|on)$|Id$|^sha$/;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The rows that one request has written, by table: those that are there, without what must differ, and how many went. */
export type WrittenRows = ReadonlyMap<string, readonly string[]>;

/** Reads the rows that requests leave in the database, which nothing else uses meanwhile. */
export class RowsWritten {
  private constructor(
    private readonly client: pg.Client,
    private readonly tables: readonly string[],
  ) {}

  static async of(client: pg.Client): Promise<RowsWritten> {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    return new RowsWritten(client, rows.map(({ name }) => name));
  }

  /** Returns the rows that `work` has written. */
  async by(work: () => Promise<unknown>): Promise<WrittenRows> {
    const before = await this.counts();
    const { rows: began } = await this.client.query<{ id: string }>('select pg_current_xact_id()::text as id');
    await work();
    await sleep(SETTLE_MS);
    const written = new Map<string, string[]>();
    const add = (table: string, row: string): unknown => written.set(table, [...(written.get(table) ?? []), row]);
    const { rows } = await this.client.query<{ name: string; row: Json }>(
      this.tables.map((name) => `select '${name}' as name, to_jsonb(t) as row from ${name} t where t.xmin::text::bigint > ${began[0]?.id}`).join(' union all '),
    );
    for (const { name, row } of rows) add(name, JSON.stringify(alike(row)));
    const after = await this.counts();
    for (const [name, count] of after) if (count !== before.get(name)) add(name, `${count - (before.get(name) ?? 0)} rows more`);
    for (const texts of written.values()) texts.sort();
    return written;
  }

  private async counts(): Promise<Map<string, number>> {
    const text = this.tables.map((name) => `select '${name}' as name, count(*) as count from ${name}`).join(' union all ');
    const { rows } = await this.client.query<{ name: string; count: number }>(text);
    return new Map(rows.map(({ name, count }) => [name, count]));
  }
}

function alike(value: Json): Json {
  if (typeof value === 'string') return value.replace(/[0-9a-f-]{16,}/gi, '%').replace(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-]\d\d(:\d\d)?)?/g, '@').replace(/\d+(\.\d+)?/g, '#');
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(alike);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, OWN.test(name) ? thereOf(value[name]) : alike(value[name] ?? null)]));
}

/** Only whether there is a value. */
const thereOf = (value: Json | undefined): Json => (value === null || value === undefined ? null : '?');

/** Returns the tables in which two requests have written different rows. */
export function differences(product: WrittenRows, reference: WrittenRows): string[] {
  const tables = [...new Set([...product.keys(), ...reference.keys()])].sort();
  return tables.flatMap((table) => {
    const [own, theirs] = [product.get(table) ?? [], reference.get(table) ?? []];
    if (own.join('\n') === theirs.join('\n')) return [];
    const only = (rows: readonly string[], others: readonly string[]): string => rows.filter((row) => !others.includes(row)).join(' ').slice(0, 1_500);
    return [`${table}: product ${own.length} (${only(own, theirs)}), reference ${theirs.length} (${only(theirs, own)})`];
  });
}
