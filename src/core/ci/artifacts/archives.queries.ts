import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { namesMergeRequestSql } from '../pipelines/merge-request-ref.sql.js';
import { expectedWindow, fractionOfPath, type ArchiveWindow } from './archive/archive-files.service.js';
import { isUnexpiredSql } from './unexpired-artifact.sql.js';

/** The archive of a job and its index window. */
export interface Archive extends ArchiveWindow {
  readonly filename: string;
  readonly size: number;
  readonly sha256: string;
  readonly createdAt: Date;
}

/** A job with its archive. */
export interface JobWithArchive {
  readonly jobId: number;
  /** Whether readers of the job may also read its artifacts. */
  readonly artifactsPublic: boolean;
  /** Null if there is none, or it has expired. */
  readonly archive: Archive | null;
}

interface Row extends Archive {
  readonly jobId: number;
  readonly artifactsPublic: boolean;
}

/** Limits of generations and number of child pipelines to search, so that long chains cost no time. */
const MAX_DEPTH = 5;
const MAX_PIPELINES = 1_000;

const ARCHIVE = `a.job_id = j.id and a.file_type = 'archive' and ${isUnexpiredSql('a')}`;

const columns = (
  fraction: string,
): string => `j.id as "jobId", j.artifacts_public as "artifactsPublic", a.id, a.filename, a.size,
  a.sha256, a.object_key as "objectKey", a.created_at as "createdAt", a.entry_count as "entryCount", ${expectedWindow('a', fraction)}`;

const OF_JOB = `select ${columns('$3')} from ci_jobs j
  left join ci_job_artifacts a on ${ARCHIVE} where j.id = $2 and j.project_id = $1 and j.kind = 'build'`;

const OF_MERGE_REQUEST = `merge_request_id is not null and ${namesMergeRequestSql('$2')}`;

/**
 * The latest success of a ref with this name, in an order that only the index of refs has; the ref of a merge
 * request comes first.
 */
const latest = (
  condition: string,
  rank: number,
): string => `(select id, tag, protected, ${rank} as rank from ci_pipelines
    where project_id = $1 and ref >= $2 and ref <= $2 and ${condition} and status = 'success' and parent_id is null
    order by ref, id desc limit 1)`;

/**
 * If a branch and a tag have the same name, the protected one wins, else the branch; and the ref of a merge
 * request wins over a branch of that name: a ref that any Developer can create must not replace artifacts that
 * others rely on. Parents come before children, since they are older.
 */
const OF_REF = `with recursive family (id, depth) as (
    (select id, 0 from (${latest(`not tag and ${OF_MERGE_REQUEST}`, 0)}
      union all ${latest(`not tag and not (${OF_MERGE_REQUEST})`, 1)} union all ${latest('tag', 1)}) latest
      order by rank, protected desc, tag limit 1)
    union all
    select c.id, f.depth + 1 from family f join ci_pipelines c on c.parent_id = f.id and c.project_id = $1 where f.depth < ${MAX_DEPTH}),
  searched as (select id from family limit ${MAX_PIPELINES})
  select ${columns('$4')} from searched s
    join ci_jobs j on j.pipeline_id = s.id and j.name = $3 and j.kind = 'build' and not j.retried
    join ci_job_artifacts a on ${ARCHIVE}
  order by s.id, j.id limit 1`;

/** Finds the archives of jobs, with the window of their index that covers a path. */
@Injectable()
export class ArchivesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns a job of the project, or null. */
  ofJob(projectId: number, jobId: number, path: string | null): Promise<JobWithArchive | null> {
    return this.find(OF_JOB, [projectId, jobId, fractionOf(path)]);
  }

  /**
   * Returns the job with this name and an archive, in the latest successful pipeline of a branch or tag or
   * its children; null if there is none.
   */
  ofRef(projectId: number, ref: string, job: string, path: string | null): Promise<JobWithArchive | null> {
    return this.find(OF_REF, [projectId, ref, job, fractionOf(path)]);
  }

  private async find(text: string, values: readonly unknown[]): Promise<JobWithArchive | null> {
    const row = await this.database.one<Row | { [Name in keyof Row]: Row[Name] | null }>(text, values);
    if (!row) return null;
    const { jobId, artifactsPublic } = row as Row;
    return { jobId, artifactsPublic, archive: row.id === null ? null : (row as Row) };
  }
}

const fractionOf = (path: string | null): number | null => (path === null ? null : fractionOfPath(path));
