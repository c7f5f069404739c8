import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { EnvironmentTier } from './naming/environment-tier.js';

/** States that the list of environments can be filtered by. */
export const ENVIRONMENT_STATES = ['available', 'stopping', 'stopped'] as const;

/** Whether an environment runs. */
export type EnvironmentState = (typeof ENVIRONMENT_STATES)[number];

/** A place that a project is deployed to. */
@Entity('environments')
export class Environment extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  slug!: string;

  /** Folder: the part of the name before the first slash. */
  @Column({ type: 'text', nullable: true })
  environmentType!: string | null;

  @Column({ type: 'text' })
  tier!: EnvironmentTier;

  @Column({ type: 'text', default: 'available' })
  state!: EnvironmentState;

  @Column({ type: 'text', nullable: true })
  externalUrl!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  autoStopAt!: Date | null;

  /** When a stopped review environment is removed. */
  @Column({ type: 'timestamptz', nullable: true })
  autoDeleteAt!: Date | null;
}
