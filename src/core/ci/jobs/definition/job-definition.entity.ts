import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { JobDefinition } from './job-definition.js';

/** The definition of a job, in its own table so that lists do not read it. */
@Entity('ci_job_definitions')
export class StoredJobDefinition {
  @PrimaryColumn({ type: 'bigint' })
  jobId!: number;

  @Column({ type: 'jsonb' })
  definition!: JobDefinition;

  /**
   * Variables given when the job was played: sealed JSON of `CiVariable[]`, purpose `ci_job:<id>:variables`.
   */
  @Column({ type: 'text', nullable: true })
  playVariables!: string | null;
}
