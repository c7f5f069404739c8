import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { JobNeed } from './definition/job-definition.js';
import type { CiStatus } from './job-status.js';

/** What runs: a build by a runner, a bridge by starting another pipeline, a commit status by somebody outside. */
export type JobKind = 'build' | 'bridge' | 'status';

/** When a job runs. */
export type JobWhen = 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed';

/** A job of a pipeline; its script and options are its definition. Its status is changed by `JobTransitionsService` alone. */
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

  /** Text, not `FailureReason` alone: imports bring what their source knows. */
  @Column({ type: 'text', nullable: true })
  failureReason!: string | null;

  @Column({ type: 'text', default: 'on_success' })
  when!: JobWhen;

  @Column({ type: 'boolean', default: false })
  allowFailure!: boolean;

  /** As in its definition: whoever brings a pipeline forward reads no definitions. Null: the stages before. */
  @Column({ type: 'jsonb', nullable: true })
  needs!: readonly JobNeed[] | null;

  /** It may be canceled when a newer pipeline makes it redundant. */
  @Column({ type: 'boolean', default: false })
  interruptible!: boolean;

  /** Of the jobs of one group in a project only one runs at a time; variables replaced. */
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

  /** Whether the branch or tag was protected when somebody was last asked for the right to run it: as the pipeline was made, or since. */
  @Column({ type: 'boolean', default: false })
  protected!: boolean;

  @Column({ type: 'text', array: true, default: [] })
  tagList!: string[];

  @Column({ type: 'double precision', nullable: true })
  coverage!: number | null;

  /** Another job has taken its place. */
  @Column({ type: 'boolean', default: false })
  retried!: boolean;

  /** How often the job was retried by itself before this one. */
  @Column({ type: 'integer', default: 0 })
  attempt!: number;

  @Column({ type: 'integer', nullable: true })
  exitCode!: number | null;

  /** Seconds that the job may run; set when a runner takes it. */
  @Column({ type: 'integer', nullable: true })
  timeout!: number | null;

  /** Name of the environment, variables replaced. */
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

  /** Whether whoever may read the job may read its artifacts too. */
  @Column({ type: 'boolean', default: true })
  artifactsPublic!: boolean;

  /** Of commit statuses. */
  @Column({ type: 'text', nullable: true })
  targetUrl!: string | null;

  /** Of commit statuses. */
  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  erasedAt!: Date | null;

  @Column({ type: 'bigint', nullable: true })
  erasedById!: number | null;

  @Column({ type: 'timestamptz', nullable: true })
  scheduledAt!: Date | null;

  /** Why it is scheduled although its turn has come; null unless a gate lets it wait. */
  @Column({ type: 'text', nullable: true })
  waitingReason!: string | null;

  /** Somebody who may has let it deploy in spite of a freeze period. */
  @Column({ type: 'boolean', default: false })
  freezeOverridden!: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  queuedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;

  /** When its runner was last heard of. */
  @Column({ type: 'timestamptz', nullable: true })
  runnerSeenAt!: Date | null;

  /** When its runner was first told that the trace is not what it says to have sent. */
  @Column({ type: 'timestamptz', nullable: true })
  traceCheckedAt!: Date | null;

  /** When somebody last looked at the trace while the job ran. */
  @Column({ type: 'timestamptz', nullable: true })
  traceWatchedAt!: Date | null;
}
