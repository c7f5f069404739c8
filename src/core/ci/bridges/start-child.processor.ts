import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { expandVariables, valuesOf } from '../config/expand.js';
import { CreatePipelineService } from '../creation/create-pipeline.service.js';
import { isMergeRequestRef } from '../creation/resolve-pipeline-ref.js';
import { JobVariablesService } from '../creation/job-variables.service.js';
import type { CiVariable } from '../jobs/definition/job-definition.js';
import { StoredJobDefinition } from '../jobs/definition/job-definition.entity.js';
import { Job } from '../jobs/job.entity.js';
import type { FailureReason } from '../jobs/job-status.js';
import { SealedVariablesService } from '../jobs/definition/sealed-variables.service.js';
import type { Pipeline } from '../pipelines/pipeline.entity.js';
import { PipelinesService } from '../pipelines/pipelines.service.js';
import { JobStartingService } from '../processing/job-starting.service.js';
import { JobTransitionsService } from '../processing/job-transitions.service.js';
import { ProcessPipeline } from '../processing/process-pipeline.use-case.js';
import { ChildConfigsService } from './child-configs.service.js';
import { StartChildJob } from './start-child.job.js';

/** Limit of generations below the first pipeline. */
const MAX_DEPTH = 2;
/** Limit of pipelines below the first one, over all generations. */
const MAX_FAMILY = 200;

const FAMILY = `with recursive above as (
    select id, parent_id, 0 as height from ci_pipelines where id = $1
    union all select p.id, p.parent_id, a.height + 1 from ci_pipelines p join above a on p.id = a.parent_id),
  family as (
    select id from above where parent_id is null
    union all select c.id from ci_pipelines c join family f on c.parent_id = f.id)
  select (select max(height) from above)::int as depth, (select count(*) - 1 from family)::int as size,
    (select id from above where parent_id is null) as root`;

/** Children of a family are created in turn, since others would not be counted; comes before the lock of the pipeline. */
const TURN = `select pg_advisory_xact_lock(hashtextextended('ci family ' || $1::text, 0))`;

/** The pipelines above and below the first one. */
interface Family {
  readonly depth: number;
  readonly size: number;
  readonly root: number;
}

/**
 * Returns the ref of a child; null if the merge request no longer exists, since no branch has the same
 * rights.
 */
function fullRefOf({ tag, ref, mergeRequestId }: Pipeline): string | null {
  if (!isMergeRequestRef(ref)) return `refs/${tag ? 'tags' : 'heads'}/${ref}`;
  return mergeRequestId === null ? null : ref;
}

/** A bridge waiting for its child, with its pipeline. */
interface Waiting {
  readonly pipeline: Pipeline;
  readonly bridge: Job;
}

/** Limit of characters of what a child gets, as of the definition of a job: each variable may be several others. */
const MAX_FORWARDED = 16 * 1024 * 1024;

/** Thrown if the bridge was canceled, or its child was started elsewhere. */
class BridgeGone extends Error {}

/** Thrown if other bridges have created the last possible pipelines in the meantime. */
class FamilyFull extends Error {}

/** Stores the child in the transaction that advances its bridge, so that a bridge never has two children. */
@Injectable()
export class StartChildProcessor extends JobProcessor<Readonly<{ bridgeId: number }>> {
  readonly job = StartChildJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly pipelines: PipelinesService,
    private readonly starting: JobStartingService,
    private readonly transitions: JobTransitionsService,
    private readonly processing: ProcessPipeline,
    private readonly creation: CreatePipelineService,
    private readonly configs: ChildConfigsService,
    private readonly variables: JobVariablesService,
    private readonly sealed: SealedVariablesService,
  ) {
    super();
  }

  async process({ bridgeId }: Readonly<{ bridgeId: number }>): Promise<void> {
    const found = await this.transactions.run(async (tx) => {
      const waiting = await this.lock(tx, bridgeId);
      const stored = waiting && (await tx.findOneBy(StoredJobDefinition, { jobId: bridgeId }));
      if (waiting && !(await this.starting.passes(tx, waiting.bridge))) {
        await this.processing.process(tx, waiting.pipeline);
        return null;
      }
      return stored ? { ...waiting, stored } : null;
    });
    if (!found) return;
    const refusal = await this.start(found, found.stored);
    if (refusal) await this.fail(bridgeId, refusal);
  }

  override failed(
    { bridgeId }: Readonly<{ bridgeId: number }>,
    _error: Error,
    _context: JobContext,
  ): Promise<void> {
    return this.fail(bridgeId, 'unknown_failure');
  }

  /** Returns why there is no child; null if it was created. */
  private async start(
    { pipeline, bridge }: Waiting,
    stored: StoredJobDefinition,
  ): Promise<FailureReason | null> {
    const { trigger } = stored.definition;
    if (!trigger) return 'invalid_bridge_trigger';
    const family = await this.database.always<Family>(FAMILY, [pipeline.id]);
    if (family.depth >= MAX_DEPTH) return 'reached_max_descendant_pipelines_depth';
    if (family.size >= MAX_FAMILY || bridge.userId === null) return 'downstream_pipeline_creation_failed';
    const ref = fullRefOf(pipeline);
    if (ref === null) return 'downstream_pipeline_creation_failed';
    const configured = await this.configs.of(pipeline.id, trigger);
    if (!configured) return 'downstream_pipeline_creation_failed';
    const variables = await this.forwarded(pipeline, bridge, stored);
    if (!variables) return 'downstream_pipeline_creation_failed';
    try {
      const created = await this.creation.create(
        {
          projectId: pipeline.projectId,
          ref,
          sha: pipeline.sha,
          ...(pipeline.mergeRequestId === null ? {} : { mergeRequestId: pipeline.mergeRequestId }),
          beforeSha: pipeline.beforeSha,
          source: 'parent_pipeline',
          userId: bridge.userId,
          variables,
          parentId: pipeline.id,
          bridgeId: bridge.id,
          bridgeProtected: bridge.protected,
          ...configured,
        },
        (tx) => this.goOn(tx, bridge.id, family, trigger.depend),
      );
      return 'errors' in created ? 'downstream_pipeline_creation_failed' : null;
    } catch (error) {
      if (error instanceof BridgeGone) return null;
      if (error instanceof FamilyFull) return 'downstream_pipeline_creation_failed';
      throw error;
    }
  }

  private async goOn(tx: Tx, bridgeId: number, { root }: Family, depend: boolean): Promise<void> {
    await tx.query(TURN, [root]);
    const waiting = await this.lock(tx, bridgeId);
    if (!waiting) throw new BridgeGone();
    const [now] = await tx.query<[Family]>(FAMILY, [waiting.pipeline.id]);
    if (now.size >= MAX_FAMILY) throw new FamilyFull();
    await this.transitions.move(tx, waiting.bridge, depend ? 'running' : 'success');
    await this.processing.process(tx, waiting.pipeline);
  }

  private fail(bridgeId: number, failureReason: FailureReason): Promise<void> {
    return this.transactions.run(async (tx) => {
      const waiting = await this.lock(tx, bridgeId);
      if (!waiting) return;
      await this.transitions.move(tx, waiting.bridge, 'failed', { failureReason });
      await this.processing.process(tx, waiting.pipeline);
    });
  }

  /** Returns the variables of the child; null if they are too large. */
  private async forwarded(
    pipeline: Pipeline,
    bridge: Job,
    stored: StoredJobDefinition,
  ): Promise<CiVariable[] | null> {
    const { definition } = stored;
    const { trigger } = definition;
    const values = valuesOf(await this.variables.of(pipeline, bridge, stored));
    const given: CiVariable[] = [];
    let left = MAX_FORWARDED;
    for (const variable of trigger?.forwardYamlVariables ? definition.variables : []) {
      const value = variable.raw ? variable.value : expandVariables(variable.value, values);
      left -= value.length;
      if (left < 0) return null;
      given.push({ ...variable, value, raw: true });
    }
    return trigger?.forwardPipelineVariables
      ? [...given, ...this.sealed.openOfPipeline(pipeline.variables)]
      : given;
  }

  private async lock(tx: Tx, bridgeId: number): Promise<Waiting | null> {
    const pipeline = await this.pipelines.lockOfJob(tx, bridgeId);
    const bridge = pipeline && (await tx.findOneBy(Job, { id: bridgeId, kind: 'bridge', status: 'pending' }));
    return bridge ? { pipeline, bridge } : null;
  }
}
