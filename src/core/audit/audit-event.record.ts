import { Anything, Id, IsoTime, OneOf } from '#kernel/http/fields/scalar-fields.js';
import { isoTime } from '#kernel/http/times.js';
import type { AuditEntityType } from './audit-log.service.js';

/** Types of scopes of audit events. */
export const AUDIT_ENTITY_TYPES: readonly AuditEntityType[] = [
  'User',
  'Group',
  'Project',
  'Gitlab::Audit::InstanceScope',
];

/** A change of rights, tokens or settings. */
export class AuditEventRecord {
  @Id()
  id!: number;

  @Id({ description: '-1 for an anonymous user' })
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

/** Row of an audit event. */
export interface AuditEventRow extends Omit<AuditEventRecord, 'created_at'> {
  readonly created_at: Date;
}

/** Presents an audit event. */
export const presentAuditEvent = (row: AuditEventRow): AuditEventRecord => ({
  id: row.id,
  author_id: row.author_id,
  entity_id: row.entity_id,
  entity_type: row.entity_type,
  details: row.details,
  created_at: isoTime(row.created_at),
});
