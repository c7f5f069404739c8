import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { pipelineOf, pipelineUserIds } from '../exchange/imported-pipeline.js';
import { PIPELINE_DURATION_SQL } from '../pipelines/records/pipeline.record.js';
import { PipelinesImporter } from '../exchange/pipelines.importer.js';

const JOB = `json_build_object('id', j.id, 'name', j.name, 'stage', j.stage, 'stage_idx', j.stage_index, 'status', j.status, 'when', j."when",
  'type', case j.kind when 'bridge' then 'Ci::Bridge' when 'status' then 'GenericCommitStatus' else 'Ci::Build' end,
  'failure_reason', j.failure_reason, 'allow_failure', j.allow_failure, 'retried', j.retried, 'user_id', j.user_id, 'coverage', j.coverage,
  'target_url', j.target_url, 'description', j.description, 'ref', j.ref, 'tag', j.tag, 'queued_at', ${isoTimeSql('j.queued_at')},
  'started_at', ${isoTimeSql('j.started_at')}, 'finished_at', ${isoTimeSql('j.finished_at')}, 'created_at', ${isoTimeSql('j.created_at')},
  'updated_at', ${isoTimeSql('j.updated_at')})`;

const listOf = (kind: string): string =>
  `coalesce(json_agg(${JOB} order by j.id) filter (where j.kind = '${kind}'), '[]')`;

const STAGES_OF = `(select coalesce(json_agg(s.json order by s.stage_index, s.json ->> 'name'), '[]') from (
    select j.stage_index, json_build_object('name', j.stage, 'position', j.stage_index, 'builds', ${listOf('build')},
      'bridges', ${listOf('bridge')}, 'generic_commit_statuses', ${listOf('status')}) as json
    from ci_jobs j where j.pipeline_id = p.id group by j.stage_index, j.stage) s)`;

const EXPORT = `select p.id, json_build_object('id', p.id, 'iid', p.iid, 'ref', p.ref, 'sha', p.sha, 'before_sha', p.before_sha, 'tag', p.tag,
    'source', p.source, 'status', p.status, 'user_id', p.user_id, 'name', p.name, 'yaml_errors', p.yaml_errors,
    'parent_iid', (select o.iid from ci_pipelines o where o.id = p.parent_id and o.project_id = p.project_id),
    'duration', ${PIPELINE_DURATION_SQL}, 'started_at', ${isoTimeSql('p.started_at')}, 'finished_at', ${isoTimeSql('p.finished_at')},
    'committed_at', ${isoTimeSql('p.committed_at')}, 'created_at', ${isoTimeSql('p.created_at')}, 'updated_at', ${isoTimeSql('p.updated_at')},
    'stages', ${STAGES_OF})::text as json
  from ci_pipelines p where p.project_id = $1 and p.id > $2 order by p.project_id, p.id limit $3`;

/** Exports and imports pipelines as history. */
@Injectable()
export class PipelinesExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly pipelines: PipelinesImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.register({
      of: 'project',
      relation: 'ci_pipelines',
      stage: STAGES.project.content,
      page: EXPORT,
      titledBy: ['iid'],
      keyedBy: ['iid'],
      userIds: pipelineUserIds,
      transform: pipelineOf,
      load: (...batch) => this.pipelines.load(...batch),
    });
  }
}
