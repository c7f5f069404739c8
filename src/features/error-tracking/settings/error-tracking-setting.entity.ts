import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Whether and where a project tracks errors. */
@Entity('error_tracking_settings')
export class ErrorTrackingSetting {
  @PrimaryColumn({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'boolean' })
  active!: boolean;

  /** Errors are tracked here; otherwise by an external tracker, which cannot be configured yet. */
  @Column({ type: 'boolean' })
  integrated!: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
