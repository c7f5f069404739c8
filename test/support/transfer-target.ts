import { Transactions } from '#kernel/database/transactions.js';
import type { ImportTarget, SourceUser } from '#core/exchange/import-target.js';
import type { Portable, RelationExport } from '#core/exchange/relation-export.js';
import type { RelationPipeline } from '#core/exchange/relation-pipeline.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import type { TestApi } from './api.js';

/** A manual target for relations that are tested without the engine; missing parts are empty. */
export interface HandmadeTarget extends ImportTarget {
  /** The reports. */
  readonly problems: { readonly title: string | null; readonly message: string }[];
  /** Imported records: relation, then key at the source. */
  readonly records: Map<string, Map<string, number>>;
}

/** Values of a target for a test. */
export interface TargetValues {
  readonly of: Portable;
  readonly ownerId: number;
  readonly importerId?: number;
  /** Local users by those of the source. */
  readonly users?: ReadonlyMap<number, number>;
  /** Facts of the source about other users. */
  readonly strangers?: readonly SourceUser[];
}

/** Creates a target. */
export function handmadeTarget(values: TargetValues): HandmadeTarget {
  const { importerId = 1, users = new Map<number, number>(), strangers = [] } = values;
  const problems: HandmadeTarget['problems'] = [];
  const records: HandmadeTarget['records'] = new Map();
  const userOf = (id: number | null | undefined): number | null => users.get(id ?? 0) ?? null;
  const found = (relation: string, keys: readonly string[]): Promise<Map<string, number>> =>
    Promise.resolve(
      new Map(
        keys.flatMap((key): [string, number][] => {
          const id = records.get(relation)?.get(key);
          return id === undefined ? [] : [[key, id]];
        }),
      ),
    );
  return {
    ...values,
    importerId,
    problems,
    records,
    entityId: 1,
    fullPath: 'there',
    sourceFullPath: 'here',
    userOf,
    attribute: (id) => {
      const userId = userOf(id);
      if (userId !== null) return { userId, standsInFor: null };
      const unknown = { sourceId: id ?? 0, username: null, name: null, userId: null };
      return {
        userId: importerId,
        standsInFor: strangers.find(({ sourceId }) => sourceId === id) ?? unknown,
      };
    },
    text: (text) => text?.replaceAll('\0', '') ?? null,
    foundAbove: (_tx, relation, keys) => found(relation, keys),
    foundInImport: (_tx, relation, _owners, keys) => found(relation, keys),
    report: (_tx, problem) => {
      problems.push(problem);
      return Promise.resolve();
    },
  };
}

/** The registered importer of a relation. */
export function offered(
  api: TestApi,
  of: Portable,
  relation: string,
): { readonly source: RelationExport; readonly pipeline: RelationPipeline } {
  const transfers = api.app.get(ExchangesRegistry);
  const source = transfers.exportsOf(of).find((one) => one.relation === relation);
  const pipeline = transfers.pipelinesOf(of).find((one) => one.relation === relation);
  if (!source || !pipeline) throw new Error(`Nobody offers ${relation} of a ${of}`);
  return { source, pipeline };
}

/** All records of a relation, read in pages of two. */
export async function exportRecords(
  api: TestApi,
  of: Portable,
  relation: string,
  ownerId: number,
  readerId = 1,
): Promise<SourceRecord[]> {
  const { source } = offered(api, of, relation);
  const records: SourceRecord[] = [];
  for (let after = 0; ;) {
    const page = await source.page(ownerId, after, 2, readerId);
    records.push(...page.map(({ json }) => JSON.parse(json) as SourceRecord));
    const last = page.at(-1);
    if (!last) return records;
    after = last.id;
  }
}

/** Imports records in one transaction, with the additions of other modules, and returns the local ids. */
export async function importRecords(
  api: TestApi,
  target: HandmadeTarget,
  relation: string,
  records: readonly SourceRecord[],
): Promise<(number | null)[]> {
  const { pipeline } = offered(api, target.of, relation);
  const rows = records.map((record) => ({
    key: pipeline.key(record),
    row: pipeline.transform(record, target),
  }));
  const parts = api.app.get(ExchangesRegistry).partsOf(target.of, relation);
  return api.app.get(Transactions).run(async (tx) => {
    const ids = await pipeline.load(
      tx,
      target,
      rows.map(({ row }) => row),
    );
    const loaded = records.flatMap((record, at) => (ids[at] ? [{ record, id: ids[at] }] : []));
    const known = target.records.get(relation) ?? new Map<string, number>();
    rows.forEach(({ key }, at) => known.set(key, ids[at] ?? 0));
    target.records.set(relation, known);
    for (const part of parts) await part.load(tx, target, loaded);
    return [...ids];
  });
}
