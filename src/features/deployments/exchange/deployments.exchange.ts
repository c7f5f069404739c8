import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { DeploymentsImporter } from '../exchange/deployments.importer.js';
import { deploymentOf, deploymentUserIds } from '../exchange/imported-deployment.js';

const EXPORT = `select d.id, json_build_object('id', d.id, 'iid', d.iid, 'ref', d.ref, 'sha', d.sha, 'tag', d.tag, 'status', d.status,
    'user_id', d.user_id, 'environment', json_build_object('name', e.name), 'finished_at', ${isoTimeSql('d.finished_at')},
    'created_at', ${isoTimeSql('d.created_at')}, 'updated_at', ${isoTimeSql('d.updated_at')},
    'deployment_merge_requests', (select coalesce(json_agg(json_build_object('merge_request_iid', m.iid) order by m.iid), '[]')
      from deployment_merge_requests s join merge_requests m on m.id = s.merge_request_id where s.deployment_id = d.id),
    'approvals', (select coalesce(json_agg(json_build_object('user_id', a.user_id, 'status', a.status, 'comment', a.comment,
      'created_at', ${isoTimeSql('a.created_at')}) order by a.id), '[]') from deployment_approvals a where a.deployment_id = d.id))::text as json
  from deployments d join environments e on e.id = d.environment_id where d.project_id = $1 and d.id > $2 order by d.id limit $3`;

/** Exports and imports deployments as history, which v4 servers do not. */
@Injectable()
export class DeploymentsExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly deployments: DeploymentsImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.register({
      of: 'project',
      relation: 'deployments',
      stage: STAGES.project.last,
      isExtension: true,
      page: EXPORT,
      titledBy: ['iid'],
      keyedBy: ['iid'],
      userIds: deploymentUserIds,
      transform: deploymentOf,
      load: (...batch) => this.deployments.load(...batch),
    });
  }
}
