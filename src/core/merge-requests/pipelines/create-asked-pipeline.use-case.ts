import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { badRequest, notFound } from '#kernel/http/errors.js';
import type { CreatedPipeline } from '#core/ci/creation/new-pipeline.js';
import { MergeRequest } from '../merge-request.entity.js';
import { HeadPipelinesService } from './head-pipelines.service.js';
import { MergeRequestPipelinesService, type PipelineRequest } from './merge-request-pipelines.service.js';

/** Creates pipelines requested by users. */
@Injectable()
export class CreateAskedPipeline {
  constructor(
    private readonly transactions: Transactions,
    private readonly pipelines: MergeRequestPipelinesService,
    private readonly heads: HeadPipelinesService,
  ) {}

  /**
   * Creates a pipeline for the head of a merge request, which becomes its head pipeline. That of a fork runs
   * in the target project if it allows this, since the caller is one of its members. @throws 400 without
   * changes, 404
   */
  async run(
    project: ProjectSubject,
    by: Omit<PipelineRequest, 'inParent'>,
    iid: number,
  ): Promise<CreatedPipeline> {
    const mergeRequest = await this.transactions.run((tx) =>
      tx.findOneBy(MergeRequest, { projectId: project.id, iid }),
    );
    if (!mergeRequest) throw notFound('Merge Request');
    const { id, headSha, baseSha } = mergeRequest;
    if (headSha === null || headSha === baseSha) throw badRequest('400 Bad request - Nothing has changed');
    const inParent = project.settings['ci_allow_fork_pipelines_to_run_in_parent_project'] !== false;
    const made = await this.pipelines.create(mergeRequest, { ...by, inParent });
    await this.transactions.run((tx) => this.heads.refresh(tx, [id]));
    return made;
  }
}
