import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** What an audit event is about. */
export type AuditEntityType = 'User' | 'Group' | 'Project' | 'Gitlab::Audit::InstanceScope';

/** One change of rights, tokens or settings. Rows are never changed. */
@Entity('audit_events')
export class AuditEvent {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  /** The acting user; -1 for somebody who is not signed in. */
  @Column({ type: 'bigint' })
  authorId!: number;

  @Column({ type: 'text' })
  entityType!: AuditEntityType;

  @Column({ type: 'bigint' })
  entityId!: number;

  @Column({ type: 'jsonb' })
  details!: Readonly<Record<string, unknown>>;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
