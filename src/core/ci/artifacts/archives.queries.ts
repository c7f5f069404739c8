import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { expectedWindow, fractionOfPath, type ArchiveWindow } from './archive/archive-files.service.js';

/** The archive of a job, as far as it can be downloaded. */
export interface Archive extends ArchiveWindow {
  readonly filename: string;
  readonly size: number;
  readonly sha256: string;
  readonly createdAt: Date;
}

/** A job whose archive was asked for. */
export interface JobWithArchive {
  readonly jobId: number;
  /** Whether whoever may read the job may read its artifacts too. */
  readonly artifactsPublic: boolean;
  /** Null where there is none, or no more. */
  readonly archive: Archive | null;
}

interface Row extends Archive {
  readonly jobId: number;
  readonly artifactsPublic: boolean;
}

/** Generations of child pipelines that are searched, and how many pipelines in all: no chain of them makes a search long. */
const MAX_DEPTH = 5;
const MAX_PIPELINES = 1_000;

/** Artifacts are there until they expire, and as long as they are locked for the latest success of their ref. */
const ARCHIVE = `a.job_id = j.id and a.file_type = 'archive' and (a.expire_at is null or a.expire_at > now() or a.locked)`;

const columns = (
  fraction: string,
): string => `j.id as "jobId", j.artifacts_public as "artifactsPublic", a.id, a.filename, a.size,
  a.sha256, a.object_key as "objectKey", a.created_at as "createdAt", a.entry_count as "entryCount", ${expectedWindow('a', fraction)}`;

const OF_JOB = `select ${columns('$3')} from ci_jobs j
  left join ci_job_artifacts a on ${ARCHIVE} where j.id = $2 and j.project_id = $1 and j.kind = 'build'`;

/** The latest success of a branch, or of a tag. */
const latestOf = (tag: boolean): string => `(select id, tag, protected from ci_pipelines
    where project_id = $1 and ref = $2 and tag = ${String(tag)} and status = 'success' and parent_id is null order by id desc limit 1)`;

/**
 * Of a branch and a tag of one name the protected one counts, or else the branch: nobody puts anything in the place of what others rely on by
 * a ref that everybody may make. Parents come before their children: they are older.
 */
const OF_REF = `with recursive family (id, depth) as (
    (select id, 0 from (${latestOf(false)} union all ${latestOf(true)}) latest order by protected desc, tag limit 1)
    union all
    select c.id, f.depth + 1 from family f join ci_pipelines c on c.parent_id = f.id and c.project_id = $1 where f.depth < ${MAX_DEPTH}),
  searched as (select id from family limit ${MAX_PIPELINES})
  select ${columns('$4')} from searched s
    join ci_jobs j on j.pipeline_id = s.id and j.name = $3 and j.kind = 'build' and not j.retried
    join ci_job_artifacts a on ${ARCHIVE}
  order by s.id, j.id limit 1`;

/** Finds the archives of jobs, and with them the part of their index that knows of one path. */
@Injectable()
export class ArchivesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** A job of the project, or null. */
  ofJob(projectId: number, jobId: number, path: string | null): Promise<JobWithArchive | null> {
    return this.find(OF_JOB, [projectId, jobId, fractionOf(path)]);
  }

  /** The job of that name in the latest successful pipeline of a branch or tag, or in the children of that: one that has an archive, or null. */
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
