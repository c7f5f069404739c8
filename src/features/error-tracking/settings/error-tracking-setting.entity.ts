import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Whether a project tracks errors, and where. */
@Entity('error_tracking_settings')
export class ErrorTrackingSetting {
  @PrimaryColumn({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'boolean' })
  active!: boolean;

  /** Errors are kept here; otherwise by a tracker elsewhere, which nobody can configure so far. */
  @Column({ type: 'boolean' })
  integrated!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
