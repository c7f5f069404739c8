import type { GroupSubject, ProjectSubject } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { INSTANCE_SCOPE, type AuditScope } from '#core/audit/audit-log.service.js';
import type { VariableOwner } from './variable.entity.js';

/** Owner of the variables of a request. */
export interface VariableContainer {
  readonly ownerType: VariableOwner;
  readonly ownerId: number;
  /** Limit of variables, because each job reads all of them. */
  readonly limit: number;
  readonly scope: AuditScope;
}

/** The instance as an owner. */
export const INSTANCE_CONTAINER: VariableContainer = {
  ownerType: 'Instance',
  ownerId: 0,
  limit: 200,
  scope: INSTANCE_SCOPE,
};

const LIMITS = { Project: 8_000, Group: 30_000 } as const;

/** Returns the project or group of a request as an owner. */
export const variableContainer = ({
  kind,
  id,
  fullPath,
}: ProjectSubject | GroupSubject): VariableContainer => ({
  ownerType: kind,
  ownerId: id,
  limit: LIMITS[kind],
  scope: { type: kind, id, path: fullPath },
});

const LOCKS: Readonly<Record<VariableOwner, string>> = {
  Instance: 'select id from application_settings where id = 1 or id = $1 for no key update',
  Group: 'select id from namespaces where id = $1 and not pending_delete for no key update',
  Project: 'select id from projects where id = $1 and not pending_delete for no key update',
};

/** Locks the owner, so that its variables change one at a time and none outlives it. @throws 404 */
export async function lockOwner(tx: Tx, { ownerType, ownerId }: VariableContainer): Promise<void> {
  const rows = await tx.query<object[]>(LOCKS[ownerType], [ownerId]);
  if (rows.length === 0) throw notFound(ownerType);
}
