import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Config } from '#kernel/config/config.js';
import type { Entity } from '../../bulk-import.js';
import { LinkRewriter } from './link-rewriter.js';

/** Destination of an entity's records. */
export interface TargetFacts {
  readonly ownerId: number;
  readonly fullPath: string;
  readonly links: LinkRewriter;
}

/**
 * Finds the topmost ancestor entity, whose path determines those below it; without projects, each project has
 * only its own path.
 */
const FIND = `with recursive up as (
    select e.id, e.parent_id, e.source_type, e.source_full_path, e.namespace_id, e.project_id, e.migrate_projects, 0 as height
    from bulk_import_entities e where e.id = $1
    union all
    select e.id, e.parent_id, e.source_type, e.source_full_path, e.namespace_id, e.project_id, e.migrate_projects, up.height + 1
    from up join bulk_import_entities e on e.id = up.parent_id where e.migrate_projects and up.height < 100),
  placed as (
    select up.height, up.source_full_path, coalesce(p.id, n.id) as owner_id, coalesce(p.full_path, n.full_path) as full_path
    from up left join projects p on up.source_type = 'project_entity' and p.id = up.project_id and not p.pending_delete
      left join namespaces n on up.source_type = 'group_entity' and n.id = up.namespace_id and not n.pending_delete)
  select own.owner_id as "ownerId", own.full_path as "fullPath",
    top.source_full_path as "topSource", top.full_path as "topPath"
  from placed own cross join lateral (select * from placed where full_path is not null order by height desc limit 1) top
  where own.height = 0 and own.owner_id is not null`;

/** Thrown if the group or project of an entity does not exist (yet or any longer). */
export class TargetMissing extends Error {
  override readonly name = 'TargetMissing';
}

/** Finds the destinations of entities. */
@Injectable()
export class TargetFinder {
  constructor(
    private readonly database: ReadDatabase,
    private readonly config: Config,
  ) {}

  /** Returns the destination of an entity. @throws TargetMissing */
  async of(entity: Entity): Promise<TargetFacts> {
    const row = await this.database.one<{
      ownerId: number;
      fullPath: string;
      topSource: string;
      topPath: string;
    }>(FIND, [entity.id]);
    if (!row) throw new TargetMissing(`The ${entity.of} does not exist`);
    const from = `${entity.sourceUrl.replace(/\/+$/, '')}/${row.topSource}`;
    const links = new LinkRewriter(from, `${this.config.externalUrl}/${row.topPath}`);
    return { ownerId: row.ownerId, fullPath: row.fullPath, links };
  }
}
