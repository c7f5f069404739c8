import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import type { AuditEntityType } from './audit-log.service.js';
import type { AuditEventRow } from './audit-event.record.js';
import type { ListAuditEventsParams, ListInstanceAuditEventsParams } from './audit-events.params.js';

const SHAPE: ListShape = {
  kind: 'AuditEvent',
  select: 'e.id, e.author_id, e.entity_id, e.entity_type, e.details, e.created_at',
  from: 'audit_events e',
  key: 'e.id',
};

/** The group or project whose events are read; with an author, only that user's. */
export interface AuditedEntity {
  readonly type: AuditEntityType;
  readonly id: number;
  readonly authorId: number | null;
}

/** Reads audit events, newest first. */
@Injectable()
export class AuditEventsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists all events of the instance. */
  listAll(params: ListInstanceAuditEventsParams): ListQuery<AuditEventRow> {
    const query = this.list(params);
    if (params.entity_type !== undefined) query.of('e.entity_type', params.entity_type, 'text');
    if (params.entity_id !== undefined) return query.where('e.entity_id = ?', params.entity_id);
    // Without an entity, the times may be far from the start of the walk by id.
    return params.created_after || params.created_before ? query.long() : query;
  }

  /** Lists the events of a group or project itself. */
  listOf({ type, id, authorId }: AuditedEntity, params: ListAuditEventsParams): ListQuery<AuditEventRow> {
    const query = this.list(params).of('e.entity_type', type, 'text').where('e.entity_id = ?', id);
    return authorId === null ? query : query.where('e.author_id = ?', authorId);
  }

  /** Returns an event; with a group or project, only if it belongs to it. @throws 404 */
  async find(id: number, entity: AuditedEntity | null = null): Promise<AuditEventRow> {
    const text = `select ${SHAPE.select} from ${SHAPE.from} where e.id = $1`;
    const row = await this.database.one<AuditEventRow>(text, [id]);
    if (!row || (entity && !belongsTo(row, entity))) throw notFound('Audit Event');
    return row;
  }

  private list({
    created_after: after,
    created_before: before,
  }: ListAuditEventsParams): ListQuery<AuditEventRow> {
    const query = new ListQuery<AuditEventRow>(SHAPE).orderBy('e.id', 'desc');
    if (after) query.where('e.created_at >= ?', after);
    if (before) query.where('e.created_at <= ?', before);
    return query;
  }
}

const belongsTo = (row: AuditEventRow, { type, id, authorId }: AuditedEntity): boolean =>
  row.entity_type === type && row.entity_id === id && (authorId === null || row.author_id === authorId);
