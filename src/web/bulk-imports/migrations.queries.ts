import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { MOST_FAILURES, type ShownEntity } from './shown-entity.js';

const SELECT = `e.id, e.bulk_import_id as "importId", case e.source_type when 'group_entity' then 'group' else 'project' end as kind,
  i.source_url as "sourceUrl", e.source_full_path as "sourceFullPath", e.status, e.canceled,
  concat_ws('/', nullif(e.destination_namespace, ''), e.destination_slug) as destination,
  i.status in ('created', 'started') as "isImportOpen", i.source_token_sealed is not null as "hasToken",
  r.done as "relationsDone", r.failed as "relationsFailed", r.total as "relationsTotal", r.records_done as "recordsDone", r.records_total as "recordsTotal",
  f.count as failures, f.first as "firstFailure", e.created_at as "createdAt", e.started_at as "startedAt", e.updated_at as "updatedAt"`;

const FROM = `bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id
  cross join lateral (select count(*)::int as total, count(*) filter (where status = 'failed')::int as failed,
    count(*) filter (where status in ('finished', 'failed', 'skipped', 'canceled'))::int as done,
    coalesce(sum(imported_count::bigint + failed_count), 0)::bigint as records_done, coalesce(sum(greatest(source_count, fetched_count)), 0)::bigint as records_total
    from bulk_import_relations where entity_id = e.id) r
  cross join lateral (select (select count(*)::int from
      (select from bulk_import_failures where entity_id = any(array[e.id]) order by entity_id, id limit ${MOST_FAILURES + 1}) found) as count,
    (select exception_message from bulk_import_failures where entity_id = any(array[e.id]) order by entity_id, id limit 1) as first) f`;

const SHAPE: ListShape = {
  kind: 'Bulk Import Entity',
  select: SELECT,
  from: FROM,
  countFrom: 'bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id',
  deepFrom: 'bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id',
  key: 'e.id',
};

const NOW = `select ${SELECT} from ${FROM} where e.id = any($1::bigint[]) and i.user_id = $2 order by e.id`;

const ACTIVITY = `select (select count(*)::int from (select 1 from bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id
    where e.id > $1 and i.user_id = $2 limit 1000) found) as newer,
  exists (select 1 from bulk_imports where user_id = $2 and status in ('created', 'started')) as "isMoving"`;

const NEWEST = `select max(e.id) as id from bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id where i.user_id = $1`;

/** Queries of the migration pages. */
@Injectable()
export class MigrationsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists all entities of a user, newest first. */
  list(userId: number): ListQuery<ShownEntity> {
    return new ListQuery<ShownEntity>(SHAPE).where('i.user_id = ?', userId).orderBy('e.id', 'desc');
  }

  /** Returns the current state of the given entities, leaving out ids that belong to other users. */
  now(ids: readonly number[], userId: number): Promise<ShownEntity[]> {
    return this.database.short<ShownEntity>(NOW, [ids, userId]);
  }

  /** Finds an entity of an import. @throws 404 */
  async find(importId: number, entityId: number, userId: number): Promise<ShownEntity> {
    const [entity] = await this.now([entityId], userId);
    if (entity?.importId !== importId) throw notFound('Bulk Import Entity');
    return entity;
  }

  /**
   * Returns what happens besides the entities shown on a page; `newestId` is the newest id that the page
   * knows.
   */
  async activity(
    newestId: number,
    userId: number,
  ): Promise<{ readonly newer: number; readonly isMoving: boolean }> {
    const row = await this.database.one<{ newer: number; isMoving: boolean }>(ACTIVITY, [newestId, userId]);
    return row ?? { newer: 0, isMoving: false };
  }

  /** The id of the newest entity, or 0 if there is none. */
  async newestId(userId: number): Promise<number> {
    return (await this.database.one<{ id: number | null }>(NEWEST, [userId]))?.id ?? 0;
  }
}
