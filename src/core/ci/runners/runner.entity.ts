import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Scopes of runners. */
export const RUNNER_TYPES = ['instance_type', 'group_type', 'project_type'] as const;

/** Scope of a runner. */
export type RunnerType = (typeof RUNNER_TYPES)[number];

/** Access levels of runners: `ref_protected` takes only jobs of protected refs. */
export const RUNNER_ACCESS_LEVELS = ['not_protected', 'ref_protected'] as const;

/** An agent that takes and runs jobs. */
@Entity('ci_runners')
export class Runner extends BaseEntity {
  @Column({ type: 'text' })
  runnerType!: RunnerType;

  @Column({ type: 'bytea' })
  tokenDigest!: Buffer;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', nullable: true })
  maintenanceNote!: string | null;

  @Column({ type: 'boolean', default: false })
  paused!: boolean;

  /** The runner cannot be assigned to more projects. */
  @Column({ type: 'boolean', default: false })
  locked!: boolean;

  @Column({ type: 'boolean', default: true })
  runUntagged!: boolean;

  @Column({ type: 'text', default: 'not_protected' })
  accessLevel!: (typeof RUNNER_ACCESS_LEVELS)[number];

  /** In seconds. */
  @Column({ type: 'integer', nullable: true })
  maximumTimeout!: number | null;

  @Column({ type: 'text', array: true, default: [] })
  tagList!: string[];

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  @Column({ type: 'text', nullable: true })
  version!: string | null;

  @Column({ type: 'text', nullable: true })
  revision!: string | null;

  @Column({ type: 'text', nullable: true })
  platform!: string | null;

  @Column({ type: 'text', nullable: true })
  architecture!: string | null;

  @Column({ type: 'text', nullable: true })
  executor!: string | null;

  /** Features that the runner reports. */
  @Column({ type: 'jsonb', default: {} })
  features!: Readonly<Record<string, unknown>>;

  @Column({ type: 'jsonb', default: {} })
  config!: Readonly<Record<string, unknown>>;

  @Column({ type: 'bigint', nullable: true })
  creatorId!: number | null;

  @Column({ type: 'timestamptz', nullable: true })
  tokenExpiresAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  contactedAt!: Date | null;
}
