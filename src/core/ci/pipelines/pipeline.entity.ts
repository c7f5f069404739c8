import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { CiStatus } from '../jobs/job-status.js';
import type { PipelineCommit } from './pipeline-commit.js';

/** What makes pipelines. */
export const PIPELINE_SOURCES = [
  'push',
  'web',
  'trigger',
  'schedule',
  'api',
  'external',
  'pipeline',
  'chat',
  'webide',
  'merge_request_event',
  'external_pull_request_event',
  'parent_pipeline',
] as const;

/** What has made a pipeline. */
export type PipelineSource = (typeof PIPELINE_SOURCES)[number];

/** The jobs of one commit. Whoever changes it or any of its jobs (but for a runner that takes one) locks its row first. */
@Entity('ci_pipelines')
export class Pipeline extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'bigint' })
  iid!: number;

  @Column({ type: 'text' })
  ref!: string;

  @Column({ type: 'boolean', default: false })
  tag!: boolean;

  @Column({ type: 'text' })
  sha!: string;

  @Column({ type: 'text' })
  beforeSha!: string;

  @Column({ type: 'text' })
  source!: PipelineSource;

  @Column({ type: 'text', default: 'created' })
  status!: CiStatus;

  @Column({ type: 'bigint', nullable: true })
  userId!: number | null;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** What is wrong with the configuration; such a pipeline has failed and has no jobs. */
  @Column({ type: 'text', nullable: true })
  yamlErrors!: string | null;

  @Column({ type: 'bigint', nullable: true })
  parentId!: number | null;

  /** The merge request that it is for: one of this project, or of the project that this one is a fork of. */
  @Column({ type: 'bigint', nullable: true })
  mergeRequestId!: number | null;

  /** The job of the parent that has started it. */
  @Column({ type: 'bigint', nullable: true })
  bridgeId!: number | null;

  @Column({ type: 'boolean', default: false })
  protected!: boolean;

  /** Its artifacts are kept whatever their expiry says: it is the latest success of its ref. */
  @Column({ type: 'boolean', default: false })
  locked!: boolean;

  /** Null when the commit could not be read. */
  @Column({ type: 'jsonb', nullable: true })
  commit!: PipelineCommit | null;

  /** Of whoever has asked for the pipeline: sealed JSON of `CiVariable[]`, purpose `ci_pipeline:variables`. */
  @Column({ type: 'text', nullable: true })
  variables!: string | null;

  /** Seconds. */
  @Column({ type: 'integer', nullable: true })
  duration!: number | null;

  @Column({ type: 'timestamptz', nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  committedAt!: Date | null;
}
