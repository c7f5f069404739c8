import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { Portable } from '#core/exchange/relation-export.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { SOURCE_TYPES, type Entity } from '../../bulk-import.js';
import type { StepRun } from '../../engine/entity-step.js';
import type { SourceQuery } from '../../source/source-api.js';
import { SourceRefused } from '../../source/source-errors.js';
import { sourcePath } from '../shells/source-path.js';

/** Limit of groups and projects directly in a group. */
const MAX_CHILDREN = 10_000;
/** Limit of entities of an import: a source could invent groups without end. */
const MAX_ENTITIES = 50_000;
/** Groups of an import that are read at the same time wait for each other: their children would not be counted. */
const TURN = `select pg_advisory_xact_lock(hashtextextended('bulk import children ' || $1::text, 0))`;

const COUNT = 'select count(*)::int as count from bulk_import_entities where bulk_import_id = $1';
/** Maximum depth: nested groups with a project at the end. */
const MAX_SEGMENTS = 21;

/**
 * Skips what the import already contains, at any destination: nothing is imported twice, and no cycle
 * of groups is followed.
 */
const ADD = `insert into bulk_import_entities (bulk_import_id, parent_id, source_type, source_full_path, destination_slug,
    destination_namespace, migrate_projects, migrate_memberships)
  select $1::bigint, $2::bigint, $3::text, given.path, given.slug, $4::text, $5::boolean, $6::boolean
  from unnest($7::text[], $8::text[]) with ordinality as given(path, slug, position)
  where not exists (select from bulk_import_entities e
    where e.bulk_import_id = $1 and e.source_type = $3 and lower(e.source_full_path) = lower(given.path))
  order by given.position on conflict do nothing returning id`;

interface Child {
  readonly path: string;
  readonly slug: string;
}

/** A list of children of a group. */
interface Listing {
  readonly of: Portable;
  readonly list: string;
  readonly query: SourceQuery;
  /** Attribute with the full path. */
  readonly path: string;
}

const LISTINGS: Readonly<Record<Portable, Listing>> = {
  group: { of: 'group', list: 'subgroups', query: { all_available: true }, path: 'full_path' },
  project: {
    of: 'project',
    list: 'projects',
    query: { include_subgroups: false, with_shared: false, simple: true },
    path: 'path_with_namespace',
  },
};

/** Adds entities for the groups and projects in a group; they are imported like requested ones. */
@Injectable()
export class ChildrenStep {
  /** Adds them; idempotent: existing children are not added again. */
  async run(run: StepRun, of: Portable): Promise<void> {
    const { entity, source } = run;
    const { list, query, path } = LISTINGS[of];
    const { fullPath } = await run.target();
    const done = typeof run.cursor === 'number' ? run.cursor : 0;
    let [page, count] = [0, 0];
    for await (const records of source.pages(`${sourcePath(entity)}/${list}`, query)) {
      run.turn.assertTime(page > done);
      page += 1;
      count += records.length;
      if (page <= done) continue;
      if (count > MAX_CHILDREN) throw new SourceRefused(`A group has more than ${MAX_CHILDREN} ${list}`);
      const children = records.map((record) => childOf(record, path, entity));
      const known = children.filter((child) => child !== null);
      await run.commit(async (tx) => {
        const imported = await this.add(tx, entity, of, fullPath, known);
        const failed = children.length - known.length;
        if (failed > 0)
          await run.report(
            tx,
            'extractor',
            new SourceRefused(`${failed} ${list} are not in this group on the source instance`),
            null,
          );
        await run.progress(tx, { source: records.length, fetched: records.length, imported, failed }, page);
      });
    }
  }

  private async add(
    tx: Tx,
    entity: Entity,
    of: Portable,
    fullPath: string,
    children: readonly Child[],
  ): Promise<number> {
    await tx.query(TURN, [entity.importId]);
    const [{ count }] = await tx.query<[{ count: number }]>(COUNT, [entity.importId]);
    if (count + children.length > MAX_ENTITIES)
      throw new SourceRefused(`An import has more than ${MAX_ENTITIES} groups and projects`);
    const rows = await tx.query<unknown[]>(ADD, [
      entity.importId,
      entity.id,
      SOURCE_TYPES[of],
      fullPath,
      entity.migrateProjects,
      entity.migrateMemberships,
      children.map(({ path }) => path),
      children.map(({ slug }) => slug),
    ]);
    return rows.length;
  }
}

/** A child must be directly in its parent; other paths of the source are ignored. */
function childOf(record: SourceRecord, attribute: string, { sourceFullPath }: Entity): Child | null {
  const path = record[attribute];
  if (typeof path !== 'string' || path.length > 255 * MAX_SEGMENTS) return null;
  const parent = path.slice(0, path.lastIndexOf('/'));
  const slug = path.slice(path.lastIndexOf('/') + 1);
  const isForm = /^[\w.-]{1,255}$/.test(slug) && path.split('/').length <= MAX_SEGMENTS;
  return isForm && parent.toLowerCase() === sourceFullPath.toLowerCase() ? { path, slug } : null;
}
