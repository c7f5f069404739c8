import { isoTimeSql } from '#kernel/database/time.sql.js';
import { OneOf } from '#kernel/http/fields/scalar-fields.js';
import { CommitPipelineRecord } from '#core/repositories/commits/commit-pipeline.record.js';
import { CI_STATUSES, type CiStatus } from '../../jobs/job-status.js';
import { PIPELINE_SOURCES, type PipelineSource } from '../pipeline.entity.js';

/** A pipeline in lists and in records of jobs (`ci.md` 5.3). */
export class PipelineBasicRecord extends CommitPipelineRecord {
  @OneOf(CI_STATUSES)
  override status!: CiStatus;

  @OneOf(PIPELINE_SOURCES)
  override source!: PipelineSource;
}

/** Row of a `PipelineBasicRecord`. */
export interface PipelineBasicRow {
  readonly p_id: number;
  readonly p_iid: number;
  readonly p_project_id: number;
  readonly p_sha: string;
  readonly p_ref: string;
  readonly p_status: CiStatus;
  readonly p_source: PipelineSource;
  readonly p_name: string | null;
  readonly p_created_at: string;
  readonly p_updated_at: string;
}

/** Select list of a `PipelineBasicRow`, for a pipeline `p`. */
export const PIPELINE_BASIC_COLUMNS = `p.id as p_id, p.iid as p_iid, p.project_id as p_project_id, p.sha as p_sha, p.ref as p_ref,
  p.status as p_status, p.source as p_source, p.name as p_name, ${isoTimeSql('p.created_at')} as p_created_at,
  ${isoTimeSql('p.updated_at')} as p_updated_at`;

/** Presents the pipeline of a row; `projectWeb` is the page of the project: `Links.project(fullPath)`. */
export const presentPipelineBasic = (row: PipelineBasicRow, projectWeb: string): PipelineBasicRecord => ({
  id: row.p_id,
  iid: row.p_iid,
  project_id: row.p_project_id,
  sha: row.p_sha,
  ref: row.p_ref,
  status: row.p_status,
  source: row.p_source,
  created_at: row.p_created_at,
  updated_at: row.p_updated_at,
  web_url: `${projectWeb}/-/pipelines/${row.p_id}`,
  name: row.p_name,
});
