import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { AutoCancel } from '../config/rules/auto-cancel.js';
import type { CiStatus } from '../jobs/job-status.js';
import type { PipelineCommit } from './pipeline-commit.js';

/** Sources of pipelines; nothing here starts the last three, which other v4 servers have. */
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
  'ondemand_dast_scan',
  'ondemand_dast_validation',
  'security_orchestration_policy',
] as const;

/** Source of a pipeline. */
export type PipelineSource = (typeof PIPELINE_SOURCES)[number];

/**
 * The jobs of a commit. To change a pipeline or its jobs, lock the row of the pipeline first; only runners
 * that take a job do not.
 */
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

  /** What a pipeline of a newer commit cancels; null for the default, `conservative`. */
  @Column({ type: 'text', nullable: true })
  cancelOnNewCommit!: AutoCancel['onNewCommit'];

  /** What a failed job cancels; null for the default, `none`. */
  @Column({ type: 'text', nullable: true })
  cancelOnJobFailure!: AutoCancel['onJobFailure'];

  /** Errors of the configuration; such a pipeline has failed and has no jobs. */
  @Column({ type: 'text', nullable: true })
  yamlErrors!: string | null;

  @Column({ type: 'bigint', nullable: true })
  parentId!: number | null;

  /** The merge request of the pipeline, in this project or in the project that this one is a fork of. */
  @Column({ type: 'bigint', nullable: true })
  mergeRequestId!: number | null;

  /** The bridge in the parent that started this pipeline. */
  @Column({ type: 'bigint', nullable: true })
  bridgeId!: number | null;

  @Column({ type: 'boolean', default: false })
  protected!: boolean;

  /** Artifacts are kept regardless of their expiry, because this is the latest success of its ref. */
  @Column({ type: 'boolean', default: false })
  locked!: boolean;

  /** Null if the commit could not be read. */
  @Column({ type: 'jsonb', nullable: true })
  commit!: PipelineCommit | null;

  /** Variables given by the user: sealed JSON of `CiVariable[]`, purpose `ci_pipeline:variables`. */
  @Column({ type: 'text', nullable: true })
  variables!: string | null;

  /** In seconds. */
  @Column({ type: 'integer', nullable: true })
  duration!: number | null;

  @Column({ type: 'timestamptz', nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  committedAt!: Date | null;
}
