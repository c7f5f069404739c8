import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { branchOf, NO_OBJECT, tagOf } from '#core/repositories/pushes/ref-change.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { CONFIG_PATH } from '../creation/compile-plan.js';
import { SealedVariablesService } from '../jobs/definition/sealed-variables.service.js';
import { UnlockPipelinesJob } from '../locking/unlock-pipelines.job.js';
import { CreatePushPipelineJob } from './create-push-pipeline.job.js';
import { ciPushOptions } from './push-options.js';

/** Limit of refs of a push that get pipelines: mirrors push thousands. */
const MAX_REFS = 4;

/** Enqueues pipelines for pushed refs, and unlocks the pipelines of deleted refs. */
@Injectable()
export class PushesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly sealed: SealedVariablesService,
  ) {}

  onModuleInit(): void {
    this.events.on(RefsPushed, (event, tx) => this.note(event, tx));
  }

  private async note(
    { repository, userId, changes, pushOptions, brought }: RefsPushed,
    tx: Tx,
  ): Promise<void> {
    if (repository.ownerType !== 'Project' || repository.kind !== 'code') return;
    const projectId = repository.ownerId;
    const named = changes.filter((change) => branchOf(change) !== null || tagOf(change) !== null);
    const gone = named.filter(({ after }) => after === NO_OBJECT);
    await this.jobs.enqueueAll(
      tx,
      UnlockPipelinesJob,
      gone.map((change) => ({
        projectId,
        ref: branchOf(change) ?? tagOf(change) ?? '',
        tag: tagOf(change) !== null,
        ofMergeRequest: false,
      })),
    );
    const options = ciPushOptions(pushOptions);
    if (userId === null || options.skip) return;
    const variables = this.sealed.sealForPipeline(options.variables);
    const there = named.filter(({ after }) => after !== NO_OBJECT).slice(0, MAX_REFS);
    // A commit without a configuration gets no pipeline; usually its root tree is already known.
    const isSeen = there.some(({ after }) => brought.knowsRoot(after));
    const entry = isSeen ? await configEntry(tx, projectId) : '';
    const pushed = there.filter(({ after }) => !brought.lacks(after, entry));
    await this.jobs.enqueueAll(
      tx,
      CreatePushPipelineJob,
      pushed.map(({ ref, before, after }) => ({ projectId, userId, ref, before, after, variables })),
    );
  }
}

const CONFIGURED = `select settings ->> 'ci_config_path' as path from projects where id = $1`;

/** Returns the entry that the root tree of a commit needs to contain the configuration. */
async function configEntry(tx: Tx, projectId: number): Promise<string> {
  const [project] = await tx.query<{ path: string | null }[]>(CONFIGURED, [projectId]);
  const path = (project?.path || CONFIG_PATH).replace(/^\/+/, '');
  return path.split('/', 1)[0] ?? '';
}
