import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { EnvironmentTier } from './naming/environment-tier.js';

/** States of environments, by which lists can be filtered. */
export const ENVIRONMENT_STATES = ['available', 'stopping', 'stopped'] as const;

/** State of an environment. */
export type EnvironmentState = (typeof ENVIRONMENT_STATES)[number];

/** A target of deployments of a project. */
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

  /** When a stopped review environment will be removed. */
  @Column({ type: 'timestamptz', nullable: true })
  autoDeleteAt!: Date | null;
}
