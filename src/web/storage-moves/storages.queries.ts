import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import type { StorageSummary } from './storage-table.js';

type Row = Omit<StorageSummary, 'isConfigured'>;

/**
 * SQL select of the owners of a kind and the size of their repositories, by storage. A group counts if it has
 * a wiki.
 */
const ofOwners = (
  type: 'Project' | 'Snippet' | 'Group',
  table: string,
  join: 'join' | 'left join',
): string => `select o.repository_storage as name, '${type}' as type, count(*) as owners, coalesce(sum(r.bytes), 0) as bytes
  from ${table} o ${join} (select owner_id, sum(size_bytes) as bytes from repositories
    where owner_type = '${type}' group by owner_id) r on r.owner_id = o.id
  group by o.repository_storage`;

const SUMMARY = `select name,
    coalesce(sum(owners) filter (where type = 'Project'), 0)::bigint as projects,
    coalesce(sum(owners) filter (where type = 'Snippet'), 0)::bigint as snippets,
    coalesce(sum(owners) filter (where type = 'Group'), 0)::bigint as "groupWikis",
    sum(bytes)::bigint as bytes
  from (${ofOwners('Project', 'projects', 'left join')} union all ${ofOwners('Snippet', 'snippets', 'left join')}
    union all ${ofOwners('Group', 'namespaces', 'join')}) parts
  group by name order by name limit 1000`;

/** Queries for the contents of the storages. */
@Injectable()
export class StoragesQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly storages: StoragesService,
  ) {}

  /** Returns the configured storages, including empty ones, followed by those that only rows refer to. */
  async summary(): Promise<StorageSummary[]> {
    const found = new Map((await this.database.long<Row>(SUMMARY, [])).map((row) => [row.name, row]));
    const names = new Set([...this.storages.names, ...found.keys()]);
    const configured = new Set(this.storages.names);
    return [...names].map((name) => ({
      ...(found.get(name) ?? { name, projects: 0, snippets: 0, groupWikis: 0, bytes: 0 }),
      isConfigured: configured.has(name),
    }));
  }
}
