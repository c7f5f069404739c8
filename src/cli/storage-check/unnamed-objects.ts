import type pg from 'pg';
import { isClaimable } from '#kernel/object-storage/claims/object-claims.js';
import { objectTables } from '#kernel/object-storage/claims/object-tables.js';
import type { ListedObject, ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { ListedKeys } from './missing-objects.js';

/** Objects that are compared at a time: no index finds them, so each comparison reads all tables that name objects. */
const BATCH = 50_000;

const RELEASE = `insert into object_claims (object_key, due_at) select key, now() from unnest($1::text[]) key
  on conflict do nothing`;

/** A number of objects, and their size. */
export interface Amount {
  readonly number: number;
  readonly bytes: number;
}

/** What was found in an object store. */
export interface StoreContent {
  readonly all: number;
  /** Objects that neither a row nor a claim names, by the first folder of their keys. */
  readonly unnamed: ReadonlyMap<string, Amount>;
}

/**
 * Compares the objects with the rows. One that nothing names now stays so: it was claimed before it was written, and its key is
 * random.
 */
export class UnnamedObjects {
  constructor(
    private readonly client: pg.Client,
    private readonly storage: ObjectStorage,
    private readonly graceMs: number,
    private readonly listed: ListedKeys,
  ) {}

  /** Counts them, and notes all that are listed. */
  async count(): Promise<StoreContent> {
    const unnamed = new Map<string, Amount>();
    let all = 0;
    for await (const batch of this.batches()) {
      all += batch.length;
      for (const { key, size } of await this.unnamedOf(batch)) {
        const folder = key.slice(0, key.indexOf('/'));
        unnamed.set(folder, plus(unnamed.get(folder), size));
      }
    }
    return { all, unnamed };
  }

  /** Gives them up, as the claims of uploads that failed: the service removes them. */
  async giveUp(): Promise<Amount> {
    let given: Amount | undefined;
    for await (const batch of this.batches()) {
      const unnamed = await this.unnamedOf(batch);
      await this.client.query(RELEASE, [unnamed.map(({ key }) => key)]);
      for (const { size } of unnamed) given = plus(given, size);
    }
    return given ?? { number: 0, bytes: 0 };
  }

  private async *batches(): AsyncIterable<readonly ListedObject[]> {
    const before = Date.now() - this.graceMs;
    let batch: ListedObject[] = [];
    for await (const object of this.storage.list()) {
      if (!isClaimable(object.key)) continue;
      this.listed.add(object.key);
      if (object.modifiedAt.getTime() > before) continue;
      batch.push(object);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  private async unnamedOf(batch: readonly ListedObject[]): Promise<ListedObject[]> {
    const naming = ['object_claims', ...(await objectTables(this.client))];
    const isUnnamed = naming.map((table) => `not exists (select from ${table} where object_key = key)`);
    const { rows } = await this.client.query<{ key: string }>(
      `select key from unnest($1::text[]) key where ${isUnnamed.join(' and ')}`,
      [batch.map(({ key }) => key)],
    );
    const keys = new Set(rows.map(({ key }) => key));
    return batch.filter(({ key }) => keys.has(key));
  }
}

const plus = (amount: Amount | undefined, bytes: number): Amount => ({
  number: (amount?.number ?? 0) + 1,
  bytes: (amount?.bytes ?? 0) + bytes,
});
