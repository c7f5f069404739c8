import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { RelationPipeline, TransformedRow } from '#core/exchange/relation-pipeline.js';
import { sourceKey, sourceTitle } from '#core/exchange/source-key.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { sqlExport } from '#core/exchange/sql-export.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { DeploymentsImporter } from '../exchange/deployments.importer.js';
import { deploymentOf, deploymentUserIds, type ImportedDeployment } from '../exchange/imported-deployment.js';

const EXPORT = `select d.id, json_build_object('id', d.id, 'iid', d.iid, 'ref', d.ref, 'sha', d.sha, 'tag', d.tag, 'status', d.status,
    'user_id', d.user_id, 'environment', json_build_object('name', e.name), 'finished_at', ${isoTimeSql('d.finished_at')},
    'created_at', ${isoTimeSql('d.created_at')}, 'updated_at', ${isoTimeSql('d.updated_at')},
    'deployment_merge_requests', (select coalesce(json_agg(json_build_object('merge_request_iid', m.iid) order by m.iid), '[]')
      from deployment_merge_requests s join merge_requests m on m.id = s.merge_request_id where s.deployment_id = d.id),
    'approvals', (select coalesce(json_agg(json_build_object('user_id', a.user_id, 'status', a.status, 'comment', a.comment,
      'created_at', ${isoTimeSql('a.created_at')}) order by a.id), '[]') from deployment_approvals a where a.deployment_id = d.id))::text as json
  from deployments d join environments e on e.id = d.environment_id where d.project_id = $1 and d.id > $2 order by d.id limit $3`;

/** Deployments between instances, as records of what has been; v4 servers do not exchange them. */
@Injectable()
export class DeploymentsExchange implements RelationPipeline<ImportedDeployment>, OnModuleInit {
  readonly of = 'project';
  readonly relation = 'deployments';
  readonly stage = STAGES.project.last;
  readonly isExtension = true;

  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly database: ReadDatabase,
    private readonly deployments: DeploymentsImporter,
  ) {}

  onModuleInit(): void {
    const relation = { of: this.of, relation: this.relation, batchable: true } as const;
    this.exchanges.registerExport(sqlExport(this.database, relation, EXPORT));
    this.exchanges.registerPipeline(this);
  }

  title(record: SourceRecord): string | null {
    return sourceTitle(record, 'iid');
  }

  key(record: SourceRecord): string {
    return sourceKey(record, 'iid');
  }

  userIds(record: SourceRecord): number[] {
    return deploymentUserIds(record);
  }

  transform(record: SourceRecord, target: ImportTarget): ImportedDeployment {
    return deploymentOf(record, target);
  }

  load(tx: Tx, target: ImportTarget, rows: readonly TransformedRow<ImportedDeployment>[]): Promise<number[]> {
    return this.deployments.load(
      tx,
      target,
      rows.map(({ row }) => row),
    );
  }
}
