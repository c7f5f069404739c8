import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Protection } from '#core/repositories/protection/protections.js';
import { ProtectionsQueries, type RightsOf } from '#core/repositories/protection/protections.queries.js';
import { isMergeRequestRef } from '../creation/resolve-pipeline-ref.js';
import type { Pipeline } from './pipeline.entity.js';

/** Facts that determine the ref of a pipeline. */
export type PipelineRefFacts = Pick<Pipeline, 'projectId' | 'ref' | 'tag' | 'mergeRequestId'>;

const BRANCH = `select source_branch as branch, source_project_id as "projectId" from merge_requests where id = $1`;

/** Reads the protection of the refs of pipelines. */
@Injectable()
export class PipelineProtectionsQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly protections: ProtectionsQueries,
  ) {}

  /**
   * Returns the protection of the ref as it applies to a user, or null. For a merge request, that of its
   * source branch counts, but never that of a fork: its branch may have the name of a protected one.
   */
  async of(pipeline: PipelineRefFacts, by: RightsOf): Promise<Protection | null> {
    const ref = await this.refOf(pipeline);
    if (ref === null) return null;
    return (await this.protections.of(pipeline.projectId, by)).of(pipeline.tag ? 'tag' : 'branch', ref);
  }

  /** Returns whether the ref is protected now; this may have changed since the pipeline was created. */
  async isProtected(pipeline: PipelineRefFacts): Promise<boolean> {
    return (await this.of(pipeline, { userId: 0, role: Role.None })) !== null;
  }

  private async refOf({ projectId, ref, mergeRequestId }: PipelineRefFacts): Promise<string | null> {
    // A merge request that was removed has no source branch, and its ref is not a branch.
    if (mergeRequestId === null) return isMergeRequestRef(ref) ? null : ref;
    const source = await this.database.one<{ branch: string; projectId: number | null }>(BRANCH, [
      mergeRequestId,
    ]);
    return source?.projectId === projectId ? source.branch : null;
  }
}
