import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { mayReadPipelines } from '#kernel/access/project-parts.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { findCommit } from '../git/commit-log.js';
import { presentCommitDetail, type CommitDetailRecord } from './commit-detail.record.js';
import { readCommitDetails } from './commit-details.js';
import { NEWEST_PIPELINE, presentCommitPipeline, type CommitPipelineRow } from './commit-pipeline.record.js';
import type { FoundCommit } from './commit-reading.service.js';

/** Presents single commits. */
@Injectable()
export class CommitPresenter {
  constructor(
    private readonly links: Links,
    private readonly database: ReadDatabase,
  ) {}

  /** Presents a commit. @throws 404 if it no longer exists */
  async present(
    project: ProjectSubject,
    caller: Caller,
    { repository: { path }, id }: FoundCommit,
    stats = true,
  ): Promise<CommitDetailRecord> {
    const [commit, details, pipeline] = await Promise.all([
      findCommit(path, id),
      readCommitDetails(path, [id], { stats, trailers: true }),
      mayReadPipelines(caller)
        ? this.database.one<CommitPipelineRow>(NEWEST_PIPELINE, [project.id, id])
        : null,
    ]);
    if (!commit) throw notFound('Commit');
    const webBase = this.links.project(project.fullPath);
    const last = pipeline && presentCommitPipeline(pipeline, webBase);
    return presentCommitDetail(commit, { id: project.id, webBase }, details.get(id), last);
  }
}
