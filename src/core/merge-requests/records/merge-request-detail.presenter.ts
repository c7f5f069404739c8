import { Injectable } from '@nestjs/common';
import type { Caller, ProjectCaller } from '#kernel/access/caller.js';
import { mayReadPipelines } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { html } from '#kernel/html/html.js';
import { Links } from '#kernel/http/links.js';
import { presentPipelineBasic } from '#core/ci/pipelines/records/pipeline-basic.record.js';
import { presentPipeline } from '#core/ci/pipelines/records/pipeline.record.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import type { PresentsNoteable } from '#core/notes/participants/subscription.controller-factory.js';
import { ProtectionsQueries } from '#core/repositories/protection/protections.queries.js';
import { DivergedCommitsService } from './diverged-commits.service.js';
import { MergeRequestTargetFinder } from '../writes/merge-request-target.finder.js';
import type { MergeRequestDetailRecord } from './merge-request-detail.record.js';
import { MergeRequestPipelinesQueries } from '../pipelines/merge-request-pipelines.queries.js';
import { MergeRequestsQueries, type MergeRequestDetailRow } from '../merge-requests.queries.js';
import type { ShowMergeRequestParams } from '../merge-requests.params.js';
import { presentMergeRequest } from './merge-request.presenter.js';

/** Parts of a record from other modules. */
type PipelinePart = Pick<
  MergeRequestDetailRecord,
  'pipeline' | 'head_pipeline' | 'latest_build_started_at' | 'latest_build_finished_at'
>;

const NO_PIPELINE: PipelinePart = {
  pipeline: null,
  head_pipeline: null,
  latest_build_started_at: null,
  latest_build_finished_at: null,
};

/** Presents single merge requests. */
@Injectable()
export class MergeRequestDetailPresenter implements PresentsNoteable<MergeRequestDetailRecord> {
  constructor(
    private readonly queries: MergeRequestsQueries,
    private readonly pipelines: MergeRequestPipelinesQueries,
    private readonly protections: ProtectionsQueries,
    private readonly diverged: DivergedCommitsService,
    private readonly targets: MergeRequestTargetFinder,
    private readonly links: Links,
  ) {}

  presentNoteable(caller: ProjectCaller, { iid }: Noteable): Promise<MergeRequestDetailRecord> {
    return this.record(caller, { merge_request_iid: iid ?? 0 });
  }

  /** Presents a merge request to the caller. @throws 404 */
  async record(caller: ProjectCaller, params: ShowMergeRequestParams): Promise<MergeRequestDetailRecord> {
    return this.present(caller, await this.queries.find(caller, params.merge_request_iid), params);
  }

  /** Presents a merge request that the caller has just created, possibly in another project. */
  async created(caller: ProjectCaller, projectId: number, iid: number): Promise<MergeRequestDetailRecord> {
    const row = await this.queries.find(caller, iid, projectId);
    if (projectId === caller.subject.id) return this.present(caller, row, { merge_request_iid: iid });
    const { role, settings, fullPath } = await this.targets.find(caller, projectId);
    const subject = { ...caller.subject, id: projectId, settings, fullPath };
    const there = { ...caller, subject, role };
    return this.present(there, row, { merge_request_iid: iid });
  }

  private async present(
    caller: ProjectCaller,
    row: MergeRequestDetailRow,
    params: ShowMergeRequestParams,
  ): Promise<MergeRequestDetailRecord> {
    const [canMerge, pipeline, diverged] = await Promise.all([
      this.canMerge(caller, row.target_branch),
      this.pipeline(caller, row),
      params.include_diverged_commits_count ? this.diverged.count(row) : null,
    ]);
    const { base_sha: base, head_sha: head, start_sha: start } = row;
    return {
      ...presentMergeRequest(row, this.links, caller.subject.fullPath),
      ...(params.render_html
        ? {
            title_html: html`${row.title}`.toString(),
            description_html: row.description === null ? null : html`<p>${row.description}</p>`.toString(),
          }
        : {}),
      subscribed: row.subscribed,
      changes_count: row.changes_count,
      first_deployed_to_production_at: row.first_deployed_to_production_at,
      ...pipeline,
      diff_refs: head === null ? null : { base_sha: base, head_sha: head, start_sha: start },
      merge_error: row.merge_error,
      ...(params.include_rebase_in_progress ? { rebase_in_progress: row.is_rebasing } : {}),
      ...(diverged === null ? {} : { diverged_commits_count: diverged }),
      first_contribution: row.first_contribution,
      user: { can_merge: canMerge },
    };
  }

  /** Returns whether the caller may push to the target or merge into it. */
  private async canMerge({ actor, role, subject }: ProjectCaller, targetBranch: string): Promise<boolean> {
    const { id, archived } = subject;
    if (!actor || role < Role.Developer || archived) return false;
    const protections = await this.protections.of(id, { userId: actor.id, role });
    const protection = protections.of('branch', targetBranch);
    return protection === null || protection.may_merge || protection.may_push;
  }

  private async pipeline(caller: Caller, row: MergeRequestDetailRow): Promise<PipelinePart> {
    const { head_pipeline_id: id } = row;
    if (id === null || !mayReadPipelines(caller)) return NO_PIPELINE;
    const found = await this.pipelines.find(id);
    if (!found) return NO_PIPELINE;
    // The pipeline of a fork runs in the fork, which may be private.
    const isOwn = found.p_project_id === row.project_id;
    if (!isOwn && !(await this.pipelines.isSeen(id, row.project_id, row.id, caller.actor)))
      return NO_PIPELINE;
    const web = this.links.project(found.project_path);
    return {
      pipeline: presentPipelineBasic(found, web),
      head_pipeline: presentPipeline(found, web, this.links),
      latest_build_started_at: found.started_at,
      latest_build_finished_at: found.finished_at,
    };
  }
}
