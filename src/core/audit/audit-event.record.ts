import { Anything, Id, IsoTime, OneOf } from '#kernel/http/fields/scalar-fields.js';
import { isoTime } from '#kernel/http/times.js';
import type { AuditEntityType } from './audit-log.service.js';

/** What an audit event can be about. */
export const AUDIT_ENTITY_TYPES: readonly AuditEntityType[] = [
  'User',
  'Group',
  'Project',
  'Gitlab::Audit::InstanceScope',
];

/** One change of rights, tokens or settings. */
export class AuditEventRecord {
  @Id()
  id!: number;

  @Id({ description: '-1 for somebody who is not signed in' })
  author_id!: number;

  @Id()
  entity_id!: number;

  @OneOf(AUDIT_ENTITY_TYPES)
  entity_type!: AuditEntityType;

  @Anything({
    description:
      'Author, target, address, and the change: custom_message, add, remove, or change with from and to',
  })
  details!: Readonly<Record<string, unknown>>;

  @IsoTime()
  created_at!: string;
}

/** An event as it is read. */
export interface AuditEventRow extends Omit<AuditEventRecord, 'created_at'> {
  readonly created_at: Date;
}

/** The record of an event. */
export const presentAuditEvent = (row: AuditEventRow): AuditEventRecord => ({
  id: row.id,
  author_id: row.author_id,
  entity_id: row.entity_id,
  entity_type: row.entity_type,
  details: row.details,
  created_at: isoTime(row.created_at),
});
