import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { readCommits } from '#core/repositories/git/commit-log.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { resolveCommits } from '#core/repositories/git/resolve.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { drawIds } from '#core/exchange/draw-ids.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { pipelineCommit, type PipelineCommit } from '../pipelines/pipeline-commit.js';
import type { ImportedPipeline } from '../exchange/imported-pipeline.js';

/** Parents come before their children, possibly in the same batch. */
const PARENTS = 'select id, iid from ci_pipelines where project_id = $1 and iid = any($2::bigint[])';

const WRITE = `insert into ci_pipelines (id, project_id, iid, ref, tag, sha, before_sha, source, status, user_id, name, yaml_errors, parent_id, commit,
    duration, started_at, finished_at, committed_at, created_at, updated_at)
  select r.id, $1, r.iid, r.ref, r.tag, r.sha, r.before_sha, r.source, r.status, r.user_id, r.name, r.yaml_errors, r.parent, r.commit,
    r.duration, r.started, r.finished, r.committed, coalesce(r.created, now()), coalesce(r.updated, r.created, now())
  from json_to_recordset($2::json) as r(id bigint, iid bigint, ref text, tag boolean, sha text, before_sha text, source text, status text,
    user_id bigint, name text, yaml_errors text, parent bigint, commit jsonb, duration integer, started timestamptz, finished timestamptz,
    committed timestamptz, created timestamptz, updated timestamptz)`;

const WRITE_JOBS = `insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, failure_reason, "when", allow_failure, retried,
    user_id, ref, tag, coverage, target_url, description, queued_at, started_at, finished_at, created_at, updated_at)
  select $1, r.pipeline, r.kind, r.name, r.stage, r.stage_index, r.status, r.failure_reason, r."when", r.allow_failure, r.retried,
    r.user_id, r.ref, r.tag, r.coverage, r.target_url, r.description, r.queued_at, r.started_at, r.finished_at,
    coalesce(r.created_at, now()), coalesce(r.updated_at, r.created_at, now())
  from json_to_recordset($2::json) as r(pipeline bigint, kind text, name text, stage text, stage_index integer, status text, failure_reason text,
    "when" text, allow_failure boolean, retried boolean, user_id bigint, ref text, tag boolean, coverage double precision, target_url text,
    description text, queued_at timestamptz, started_at timestamptz, finished_at timestamptz, created_at timestamptz, updated_at timestamptz)`;

/**
 * Imports pipelines of another instance as history: without definitions, so that they cannot be run again.
 */
@Injectable()
export class PipelinesImporter {
  constructor(
    private readonly iids: InternalIdsService,
    private readonly repositories: RepositoriesService,
  ) {}

  /** Inserts the pipelines; returns their ids in the same order. */
  async load(tx: Tx, { ownerId }: ImportTarget, rows: readonly ImportedPipeline[]): Promise<number[]> {
    const ids = await drawIds(tx, 'ci_pipelines', rows.length);
    const parents = await this.parents(tx, ownerId, rows, ids);
    const commits = await this.commits(ownerId, [...new Set(rows.map(({ sha }) => sha))]);
    const pipelines = rows.map((row, at) => ({
      id: ids[at],
      iid: row.iid,
      ref: row.ref,
      tag: row.tag,
      sha: row.sha,
      before_sha: row.beforeSha,
      source: row.source,
      status: row.status,
      user_id: row.userId,
      name: row.name,
      yaml_errors: row.yamlErrors,
      parent: row.parentIid === null ? null : (parents.get(row.parentIid) ?? null),
      commit: commits.get(row.sha) ?? null,
      duration: row.duration,
      started: row.startedAt,
      finished: row.finishedAt,
      committed: row.committedAt,
      created: row.createdAt,
      updated: row.updatedAt,
    }));
    await this.iids.takeMany(
      tx,
      ownerId,
      'pipelines',
      rows.map(({ iid }) => iid),
    );
    await tx.query(WRITE, [ownerId, JSON.stringify(pipelines)]);
    const jobs = rows.flatMap(({ jobs: own, ref, tag }, at) =>
      own.map(({ order: _, ...job }) => ({ ...job, pipeline: ids[at], ref, tag })),
    );
    if (jobs.length > 0) await tx.query(WRITE_JOBS, [ownerId, JSON.stringify(jobs)]);
    return ids;
  }

  private async parents(
    tx: Tx,
    projectId: number,
    rows: readonly ImportedPipeline[],
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, number>> {
    const wanted = rows.flatMap(({ parentIid, iid }) =>
      parentIid !== null && parentIid < iid ? [parentIid] : [],
    );
    if (wanted.length === 0) return new Map();
    const known = await tx.query<{ id: number; iid: number }[]>(PARENTS, [projectId, wanted]);
    const here = rows.map(({ iid }, at): [number, number] => [iid, ids[at] as number]);
    const all = new Map([...known.map(({ id, iid }): [number, number] => [iid, id]), ...here]);
    return new Map([...all].filter(([iid]) => wanted.includes(iid)));
  }

  /**
   * Reads the commits from the repository instead of the export, with two git processes for any number of
   * them.
   */
  private async commits(
    projectId: number,
    shas: readonly string[],
  ): Promise<ReadonlyMap<string, PipelineCommit>> {
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    if (!repository) return new Map();
    const found = (await resolveCommits(repository.path, shas)).filter((id, at) => id === shas[at]);
    if (found.length === 0) return new Map();
    try {
      const commits = await readCommits(repository.path, ['--no-walk', '--stdin'], {
        input: found.map((id) => `${id ?? ''}\n`).join(''),
      });
      return new Map(commits.map((commit) => [commit.id, pipelineCommit(commit)]));
    } catch (error) {
      // Long commit messages must not exclude pipelines.
      if (error instanceof GitFailure && error.reason === 'too-large') return new Map();
      throw error;
    }
  }
}
