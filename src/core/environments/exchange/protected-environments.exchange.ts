import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Portable } from '#core/exchange/relation-export.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { protectedEnvironmentOf, protectionUserIds } from '../exchange/imported-protected-environment.js';
import { importProtectedEnvironments } from '../exchange/protected-environments-import.js';

const entries = (table: string, extra = ''): string => `coalesce((
  select json_agg(json_build_object('access_level', x.access_level, 'user_id', x.user_id, 'group_id', x.group_id,
    'group_inheritance_type', x.group_inheritance_type${extra}) order by x.id) from ${table} x where x.protected_environment_id = e.id), '[]')`;

const exportOf = (column: string): string => `select e.id, json_build_object('id', e.id, 'name', e.name,
    'required_approval_count', e.required_approval_count, 'deploy_access_levels', ${entries('protected_environment_access_levels')},
    'approval_rules', ${entries('protected_environment_approval_rules', `, 'required_approvals', x.required_approvals`)},
    'created_at', ${isoTimeSql('e.created_at')}, 'updated_at', ${isoTimeSql('e.updated_at')})::text as json
  from protected_environments e where e.${column} = $1 and e.id > $2 order by e.id limit $3`;

const EXPORTS: Readonly<Record<Portable, string>> = {
  project: exportOf('project_id'),
  group: exportOf('group_id'),
};

/** Exports and imports protected environments of projects and groups, which v4 servers do not. */
@Injectable()
export class ProtectedEnvironmentsExchange implements OnModuleInit {
  constructor(private readonly exchanges: ExchangesRegistry) {}

  onModuleInit(): void {
    for (const owner of ['group', 'project'] as const)
      this.exchanges.register({
        of: owner,
        relation: 'protected_environments',
        stage: owner === 'group' ? STAGES.group.basics : STAGES.project.referred,
        isExtension: true,
        batchable: false,
        page: EXPORTS[owner],
        titledBy: ['name'],
        keyedBy: ['name', 'id'],
        userIds: protectionUserIds,
        transform: (record, target) => protectedEnvironmentOf(owner, record, target),
        load: importProtectedEnvironments,
      });
  }
}
