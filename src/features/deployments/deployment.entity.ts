import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { DeploymentStatus } from '#core/environments/deployments/deployment-summary.record.js';

/** A deployment of a commit to an environment. */
@Entity('deployments')
export class Deployment extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'bigint' })
  environmentId!: number;

  @Column({ type: 'bigint' })
  iid!: number;

  @Column({ type: 'bigint', nullable: true })
  userId!: number | null;

  @Column({ type: 'text' })
  ref!: string;

  @Column({ type: 'text' })
  sha!: string;

  @Column({ type: 'boolean' })
  tag!: boolean;

  @Column({ type: 'text' })
  status!: DeploymentStatus;

  /** The job that deploys; null for deployments by the API, and if the job was removed. */
  @Column({ type: 'bigint', nullable: true })
  jobId!: number | null;

  /** Name of the job that stops the environment. */
  @Column({ type: 'text', nullable: true })
  onStop!: string | null;

  /** When the status became success, failed or canceled. */
  @Column({ type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}
