import { Injectable } from '@nestjs/common';
import { requestContext } from '#kernel/log/request-context.js';
import type { Tx } from '#kernel/database/transactions.js';

/** Type of an audit event's scope. */
export type AuditEntityType = 'User' | 'Group' | 'Project' | 'Gitlab::Audit::InstanceScope';

/** Author of an event; null for anonymous users, such as at a failed sign-in, and for work that no request started. */
export interface AuditAuthor {
  readonly id: number;
  readonly name: string;
}

/** Scope in which the event is listed. */
export interface AuditScope {
  readonly type: AuditEntityType;
  readonly id: number;
  readonly path: string;
}

/** The object of the change. */
export interface AuditTarget {
  readonly type: string;
  readonly id: number | string;
  readonly details: string;
}

/**
 * The change: a sentence (optionally with a name for programs), an addition or removal, or a changed
 * attribute with its former and present value (`auth-core.md` 6.9).
 */
export type AuditChange =
  | { readonly customMessage: string; readonly eventName?: string }
  | { readonly add: string; readonly as?: string }
  | { readonly remove: string }
  | { readonly change: string; readonly from: unknown; readonly to: unknown };

/** The instance as a scope. */
export const INSTANCE_SCOPE: AuditScope = { type: 'Gitlab::Audit::InstanceScope', id: 1, path: 'instance' };

const INSERT = `insert into audit_events (author_id, entity_type, entity_id, details) values ($1, $2, $3,
  $4::jsonb || jsonb_build_object('author_email', (select email from users where id = $1)))`;

const ANONYMOUS = 'An unauthenticated user';
const SYSTEM = 'The system';

/** Records changes in the transaction that makes them. */
@Injectable()
export class AuditLogService {
  async record(
    tx: Tx,
    author: AuditAuthor | null,
    scope: AuditScope,
    target: AuditTarget,
    change: AuditChange,
  ): Promise<void> {
    const what =
      'customMessage' in change
        ? { custom_message: change.customMessage, event_name: change.eventName }
        : change;
    const { remoteIp, response } = requestContext.getStore() ?? {};
    const nobody = response === undefined ? SYSTEM : ANONYMOUS;
    const details = {
      ...what,
      author_name: author?.name ?? nobody,
      author_class: 'User',
      target_id: target.id,
      target_type: target.type,
      target_details: target.details,
      // Jobs have an empty one, commands none.
      ip_address: remoteIp || null,
      entity_path: scope.path,
    };
    await tx.query(INSERT, [author?.id ?? -1, scope.type, scope.id, JSON.stringify(details)]);
  }
}
