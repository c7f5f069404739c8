import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ProtectionOwner } from './protection-owner.js';
import type { ProtectedEnvironmentRow } from './protected-environment.record.js';

const entries = (table: string, extra = ''): string => `coalesce((
  select json_agg(json_build_object('id', x.id, 'access_level', x.access_level, 'user_id', x.user_id, 'group_id', x.group_id,
    'group_inheritance_type', x.group_inheritance_type, 'title', coalesce(xu.name, xg.name)${extra}) order by x.id)
  from ${table} x left join users xu on xu.id = x.user_id left join namespaces xg on xg.id = x.group_id
  where x.protected_environment_id = e.id), '[]')`;

const LIST: ListShape = {
  kind: 'ProtectedEnvironment',
  select: `e.id, e.name, e.required_approval_count, ${entries('protected_environment_access_levels')} as levels,
    ${entries('protected_environment_approval_rules', `, 'required_approvals', x.required_approvals`)} as rules`,
  from: 'protected_environments e',
  key: 'e.id',
};

const find = (column: string): string =>
  `select ${LIST.select} from ${LIST.from} where e.${column} = $1 and e.name = $2`;

const FIND_OF_PROJECT = find('project_id');
const FIND_OF_GROUP = find('group_id');

/** Reads protected environments. */
@Injectable()
export class ProtectedEnvironmentsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the protections of a project or group, by name. */
  list({ projectId, groupId }: ProtectionOwner): ListQuery<ProtectedEnvironmentRow> {
    const query = new ListQuery<ProtectedEnvironmentRow>(LIST);
    if (projectId === null) query.of('e.group_id', groupId);
    else query.of('e.project_id', projectId);
    return query.orderBy('e.name', 'asc');
  }

  /** Returns the protection with this name, or null. */
  find({ projectId, groupId }: ProtectionOwner, name: string): Promise<ProtectedEnvironmentRow | null> {
    const [text, id] = projectId === null ? [FIND_OF_GROUP, groupId] : [FIND_OF_PROJECT, projectId];
    return this.database.one<ProtectedEnvironmentRow>(text, [id, name]);
  }
}
