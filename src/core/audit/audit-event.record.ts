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
      'Author, target, address, and the change: custom_message, add, remove, or change with from and to as text',
  })
  details!: Readonly<Record<string, unknown>>;

  @IsoTime()
  created_at!: string;
}

/** Row of an audit event. */
export interface AuditEventRow extends Omit<AuditEventRecord, 'created_at'> {
  readonly created_at: Date;
}

/** Changed values of any type are text, as v4 documents them: typed clients cannot read others. */
const asText = (value: unknown): unknown =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);

/** Presents the details of an event. */
const presentDetails = (details: AuditEventRecord['details']): AuditEventRecord['details'] =>
  'change' in details
    ? { ...details, from: asText(details['from'] ?? null), to: asText(details['to'] ?? null) }
    : details;

/** Presents an audit event. */
export const presentAuditEvent = (row: AuditEventRow): AuditEventRecord => ({
  id: row.id,
  author_id: row.author_id,
  entity_id: row.entity_id,
  entity_type: row.entity_type,
  details: presentDetails(row.details),
  created_at: isoTime(row.created_at),
});
