import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** An artifact of a job: its archive, a report or its trace; at most one per type. */
@Entity('ci_job_artifacts')
export class Artifact extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'bigint' })
  jobId!: number;

  @Column({ type: 'text' })
  fileType!: string;

  /** Null for traces. */
  @Column({ type: 'text', nullable: true })
  fileFormat!: 'raw' | 'zip' | 'gzip' | null;

  @Column({ type: 'text' })
  filename!: string;

  @Column({ type: 'bigint' })
  size!: number;

  @Column({ type: 'text' })
  sha256!: string;

  @Column({ type: 'text' })
  objectKey!: string;

  /** Null if it does not expire. */
  @Column({ type: 'timestamptz', nullable: true })
  expireAt!: Date | null;

  /** A user has kept it: neither expiry nor deletion of the project's artifacts removes it. */
  @Column({ type: 'boolean', default: false })
  kept!: boolean;

  /** Index of an archive (see `archive-index.ts`); never selected with the row. */
  @Column({ type: 'bytea', nullable: true, select: false })
  entries!: Buffer | null;

  @Column({ type: 'integer', nullable: true })
  entryCount!: number | null;
}
