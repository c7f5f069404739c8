import { live } from '#kernel/database/time.sql.js';
import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { fieldsOf } from '#kernel/http/fields/field-spec.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { GroupProjectsPort } from '#core/groups/group-projects.port.js';
import { GroupStatisticsRecord } from '#core/groups/group.record.js';
import { ProjectListQueries } from './project-list.queries.js';
import { PurgeProjectService } from '../deletion/purge-project.service.js';
import { readableProjects } from './readable-projects.js';

/** Ids of the projects directly in a group. */
export const IN_GROUP =
  '(select q.id from projects q where q.namespace_id = any(array[?::bigint]) order by q.namespace_id)';

/** Ids of other projects that are shared with a group. */
export const SHARED_WITH_GROUP = `(select l.source_id from group_links l
  where l.source_type = 'Project' and ${live('l')} and l.group_id = any(array[?::bigint]) order by l.group_id)`;

const EMBEDDED = 100;

const NOTHING = Object.fromEntries(
  fieldsOf(GroupStatisticsRecord).map(({ name }) => [name, 0]),
) as unknown as GroupStatisticsRecord;

const STATISTICS = `select g.id, ${fieldsOf(GroupStatisticsRecord)
  .map(({ name }) => `sum(st.${name})::bigint as ${name}`)
  .join(', ')}
  from namespaces g join namespaces x on x.traversal_ids @> array[g.id] join projects p on p.namespace_id = x.id and not p.pending_delete
    join project_statistics st on st.project_id = p.id
  where g.id = any($1::bigint[]) group by g.id`;

/** Implements what groups need of their projects. */
@Injectable()
export class GroupProjectsService extends GroupProjectsPort {
  constructor(
    private readonly projects: ProjectListQueries,
    private readonly removal: PurgeProjectService,
    private readonly database: ReadDatabase,
  ) {
    super();
  }

  override embedded(groupId: number, caller: Caller): Promise<object[]> {
    return this.projects.first({ ids: IN_GROUP, values: [groupId] }, EMBEDDED, caller);
  }

  override shared(groupId: number, caller: Caller): Promise<object[]> {
    return this.projects.first({ ids: SHARED_WITH_GROUP, values: [groupId] }, EMBEDDED, caller);
  }

  override async isReadable(projectId: number, actor: Actor | null): Promise<boolean> {
    const { sql, values } = readableProjects(actor, 'repository', Role.Reporter);
    let number = 1;
    const numbered = sql.replaceAll('?', () => `$${(number += 1)}`);
    const text = `select 1 from projects p where p.id = $1 and ${numbered}`;
    return (await this.database.long(text, [projectId, ...values])).length > 0;
  }

  override async statistics(
    groupIds: readonly number[],
  ): Promise<ReadonlyMap<number, GroupStatisticsRecord>> {
    const rows = await this.database.long<GroupStatisticsRecord & { id: number }>(STATISTICS, [groupIds]);
    const found = new Map<number, GroupStatisticsRecord>(rows.map(({ id, ...sizes }) => [id, sizes]));
    return new Map(groupIds.map((id) => [id, found.get(id) ?? NOTHING]));
  }

  override async remove(tx: Tx, projectIds: readonly number[]): Promise<void> {
    for (const id of projectIds) await this.removal.remove(tx, id);
  }
}
