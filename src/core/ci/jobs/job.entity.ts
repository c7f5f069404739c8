import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { JobNeed } from './definition/job-definition.js';
import type { CiStatus } from './job-status.js';

/**
 * Kinds of jobs: a build is run by a runner, a bridge starts another pipeline, a status is reported from
 * outside.
 */
export type JobKind = 'build' | 'bridge' | 'status';

/** Condition on which a job runs. */
export type JobWhen = 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed';

/**
 * A job of a pipeline; its script and options are in its definition. Only `JobTransitionsService` changes its
 * status.
 */
@Entity('ci_jobs')
export class Job extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'bigint' })
  pipelineId!: number;

  @Column({ type: 'text' })
  kind!: JobKind;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  stage!: string;

  @Column({ type: 'integer' })
  stageIndex!: number;

  @Column({ type: 'text', default: 'created' })
  status!: CiStatus;

  /** Text instead of `FailureReason`: imported jobs keep the reasons of their source. */
  @Column({ type: 'text', nullable: true })
  failureReason!: string | null;

  @Column({ type: 'text', default: 'on_success' })
  when!: JobWhen;

  @Column({ type: 'boolean', default: false })
  allowFailure!: boolean;

  /**
   * A copy from the definition, so that processing a pipeline reads no definitions. Null: all earlier stages.
   */
  @Column({ type: 'jsonb', nullable: true })
  needs!: readonly JobNeed[] | null;

  /** The job may be canceled when a newer pipeline makes it redundant. */
  @Column({ type: 'boolean', default: false })
  interruptible!: boolean;

  /** Only one job of a resource group runs at a time in a project; variables are expanded. */
  @Column({ type: 'text', nullable: true })
  resourceGroup!: string | null;

  @Column({ type: 'bigint', nullable: true })
  userId!: number | null;

  @Column({ type: 'bigint', nullable: true })
  runnerId!: number | null;

  @Column({ type: 'text' })
  ref!: string;

  @Column({ type: 'boolean', default: false })
  tag!: boolean;

  /**
   * Whether the ref was protected when the right to run the job was last checked: at creation, or at a later
   * run.
   */
  @Column({ type: 'boolean', default: false })
  protected!: boolean;

  @Column({ type: 'text', array: true, default: [] })
  tagList!: string[];

  @Column({ type: 'double precision', nullable: true })
  coverage!: number | null;

  /** Whether another job replaces this one. */
  @Column({ type: 'boolean', default: false })
  retried!: boolean;

  /** Number of automatic retries before this job. */
  @Column({ type: 'integer', default: 0 })
  attempt!: number;

  @Column({ type: 'integer', nullable: true })
  exitCode!: number | null;

  /** Timeout in seconds; set when a runner takes the job. */
  @Column({ type: 'integer', nullable: true })
  timeout!: number | null;

  /** Name of the environment, with variables expanded. */
  @Column({ type: 'text', nullable: true })
  environment!: string | null;

  @Column({ type: 'text', nullable: true })
  environmentAction!: 'start' | 'stop' | 'prepare' | 'verify' | 'access' | null;

  @Column({ type: 'bytea', nullable: true })
  tokenDigest!: Buffer | null;

  @Column({ type: 'boolean', default: false })
  debugTrace!: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  artifactsExpireAt!: Date | null;

  /** Whether readers of the job may also read its artifacts. */
  @Column({ type: 'boolean', default: true })
  artifactsPublic!: boolean;

  /** Only for commit statuses. */
  @Column({ type: 'text', nullable: true })
  targetUrl!: string | null;

  /** Only for commit statuses. */
  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  erasedAt!: Date | null;

  @Column({ type: 'bigint', nullable: true })
  erasedById!: number | null;

  @Column({ type: 'timestamptz', nullable: true })
  scheduledAt!: Date | null;

  /** Why the job is still scheduled although it is due; null unless a gate delays it. */
  @Column({ type: 'text', nullable: true })
  waitingReason!: string | null;

  /** An authorized user has let the job deploy in spite of a freeze period. */
  @Column({ type: 'boolean', default: false })
  freezeOverridden!: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  queuedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;

  /** Time of the last request of its runner. */
  @Column({ type: 'timestamptz', nullable: true })
  runnerSeenAt!: Date | null;

  /** When the runner was first told that the stored trace differs from what it reports to have sent. */
  @Column({ type: 'timestamptz', nullable: true })
  traceCheckedAt!: Date | null;

  /** When a user last viewed the trace while the job ran. */
  @Column({ type: 'timestamptz', nullable: true })
  traceWatchedAt!: Date | null;
}
