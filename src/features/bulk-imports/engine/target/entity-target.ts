import type { Tx } from '#kernel/database/transactions.js';
import type { Attribution, ImportTarget, SourceUser } from '#core/exchange/import-target.js';
import type { Entity } from '../../bulk-import.js';
import type { FailureRows } from '../failure.row.js';
import type { TargetFacts } from './target.finder.js';

const FOUND_ABOVE = `with recursive up as (
    select id, parent_id, 0 as height from bulk_import_entities where id = $1
    union all select e.id, e.parent_id, up.height + 1 from up join bulk_import_entities e on e.id = up.parent_id where up.height < 100)
  select distinct on (r.source_key) r.source_key as key, r.destination_id as id
  from up join bulk_import_records r on r.entity_id = up.id
  where r.relation = $2 and r.source_key = any($3::text[]) and r.destination_id is not null
  order by r.source_key, up.height`;

/** Its own records win over those of another entity with the same source. */
const FOUND_IN_IMPORT = `select distinct on (r.source_key) r.source_key as key, r.destination_id as id
  from bulk_import_entities own
    join bulk_import_entities e on e.bulk_import_id = own.bulk_import_id and e.source_type = own.source_type
      and (e.id = own.id or e.source_id = any($4::bigint[]))
    join bulk_import_records r on r.entity_id = e.id
  where own.id = $1 and r.relation = $2 and r.source_key = any($3::text[]) and r.destination_id is not null
  order by r.source_key, e.id <> own.id, e.id`;

/** Arbitrary number of an advisory lock; the second key is the import. */
const IMPORT_LOCK = 746_274_014;

const LOCK_IMPORT =
  'select pg_advisory_xact_lock($1, hashtext(bulk_import_id::text)) from bulk_import_entities where id = $2';

/** An author without an id at the source. */
const UNKNOWN: SourceUser = { sourceId: 0, username: null, name: null, userId: null };

/** Destination of the records of a batch. */
export class EntityTarget implements ImportTarget {
  readonly entityId: number;
  readonly of: Entity['of'];
  readonly ownerId: number;
  readonly fullPath: string;
  readonly sourceFullPath: string;
  readonly importerId: number;

  constructor(
    entity: Entity,
    private readonly relation: string,
    private readonly facts: TargetFacts,
    private readonly users: ReadonlyMap<number, SourceUser>,
    private readonly failures: FailureRows,
  ) {
    this.entityId = entity.id;
    this.of = entity.of;
    this.ownerId = facts.ownerId;
    this.fullPath = facts.fullPath;
    this.sourceFullPath = entity.sourceFullPath;
    this.importerId = entity.importerId;
  }

  userOf(sourceUserId: number | null | undefined): number | null {
    return this.users.get(sourceUserId ?? 0)?.userId ?? null;
  }

  attribute(sourceUserId: number | null | undefined): Attribution {
    const user = this.users.get(sourceUserId ?? 0);
    if (user && user.userId !== null) return { userId: user.userId, standsInFor: null };
    const unknown = { ...UNKNOWN, sourceId: sourceUserId ?? 0 };
    return { userId: this.importerId, standsInFor: user ?? unknown };
  }

  text(value: string | null): string | null {
    return value === null ? null : this.facts.links.rewrite(value.replaceAll('\0', ''));
  }

  async foundAbove(tx: Tx, relation: string, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (keys.length === 0) return new Map();
    const rows = await tx.query<{ key: string; id: number }[]>(FOUND_ABOVE, [this.entityId, relation, keys]);
    return new Map(rows.map(({ key, id }) => [key, id]));
  }

  async foundInImport(
    tx: Tx,
    relation: string,
    ownerSourceIds: readonly number[],
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (keys.length === 0) return new Map();
    if (ownerSourceIds.length > 0) await tx.query(LOCK_IMPORT, [IMPORT_LOCK, this.entityId]);
    const values = [this.entityId, relation, keys, ownerSourceIds];
    const rows = await tx.query<{ key: string; id: number }[]>(FOUND_IN_IMPORT, values);
    return new Map(rows.map(({ key, id }) => [key, id]));
  }

  async report(tx: Tx, { title, message }: { title: string | null; message: string }): Promise<void> {
    const error = Object.assign(new Error(message), { name: 'PartlyImported' });
    await this.failures.add(tx, this.entityId, this.relation, [{ step: 'loader', error, title }]);
  }
}
