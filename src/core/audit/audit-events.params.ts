import { Id, IsoTime, OneOf } from '#kernel/http/fields/scalar-fields.js';
import type { AuditEntityType } from './audit-log.service.js';
import { AUDIT_ENTITY_TYPES } from './audit-event.record.js';

/** Filters of all lists of audit events. */
export class ListAuditEventsParams {
  @IsoTime({ optional: true, description: 'Events at or after this time' })
  created_after?: Date;

  @IsoTime({ optional: true, description: 'Events at or before this time' })
  created_before?: Date;
}

/** Filters of the list of the instance. */
export class ListInstanceAuditEventsParams extends ListAuditEventsParams {
  @OneOf(AUDIT_ENTITY_TYPES, { optional: true, requiredWith: 'entity_id' })
  entity_type?: AuditEntityType;

  @Id({ optional: true, description: 'Needs entity_type' })
  entity_id?: number;
}

/** Path parameters of an event of the instance. */
export class FindInstanceAuditEventParams {
  @Id()
  id!: number;
}

/** Path parameters of an event of a group or project. */
export class FindAuditEventParams {
  @Id()
  audit_event_id!: number;
}
