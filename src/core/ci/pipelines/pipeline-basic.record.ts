import { isoTimeSql } from '#kernel/database/time-sql.js';
import { Integer, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { CI_STATUSES, type CiStatus } from '../jobs/job-status.js';
import { PIPELINE_SOURCES, type PipelineSource } from './pipeline.entity.js';

/** A pipeline as lists and jobs show it (`ci.md` 5.3). */
export class PipelineBasicRecord {
  @Integer()
  id!: number;

  @Integer({ description: 'Number within the project' })
  iid!: number;

  @Integer()
  project_id!: number;

  @Text({ example: 'a91957a858320c0e17f3a0eca7cfacbff50ea29a' })
  sha!: string;

  @Text({ example: 'main' })
  ref!: string;

  @OneOf(CI_STATUSES)
  status!: CiStatus;

  @OneOf(PIPELINE_SOURCES)
  source!: PipelineSource;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @Text()
  web_url!: string;

  @Text({ nullable: true })
  name!: string | null;
}

/** What it is made of. */
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

/** Columns of the record, for a pipeline with the alias `p`. */
export const PIPELINE_BASIC_COLUMNS = `p.id as p_id, p.iid as p_iid, p.project_id as p_project_id, p.sha as p_sha, p.ref as p_ref,
  p.status as p_status, p.source as p_source, p.name as p_name, ${isoTimeSql('p.created_at')} as p_created_at,
  ${isoTimeSql('p.updated_at')} as p_updated_at`;

/** `projectWeb` is the page of the project: `Links.project(fullPath)`. */
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
