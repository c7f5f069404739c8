import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { differs } from '#kernel/database/base.entity.js';
import { insertNew } from '#kernel/database/statements/insert-new.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict, forbidden, invalid, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { LOCK_PROJECT } from '#core/projects/writes/lock-project.sql.js';
import { isValidRefName } from '../ref-name.js';
import { PROTECTION_TITLES, ProtectedRef, type RefType } from './protected-ref.entity.js';
import { ALLOWED } from './protections.queries.js';
import { ProtectionRightsService, type RightsChange } from './protection-rights.service.js';

/** Limit of protections, because every push reads all of them. */
export const MAX_PROTECTIONS = 1_000;

const MAY_UNPROTECT = `select bool_or(${ALLOWED}) as allowed from protected_ref_access_levels l
  where l.protected_ref_id = $1 and l.kind = 'unprotect'`;

/** Options of a protection besides its access levels. */
export type ProtectionValues = Partial<Pick<ProtectedRef, 'allowForcePush' | 'codeOwnerApprovalRequired'>>;

/** Protects and unprotects branches and tags of projects; audits every change. */
@Injectable()
export class ProtectedRefsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly rights: ProtectionRightsService,
    private readonly audit: AuditLogService,
  ) {}

  /** Protects a name or pattern. @throws 400 if no ref can have it; 409 if it is already protected */
  create(
    project: ProjectSubject,
    caller: Caller,
    type: RefType,
    name: string,
    values: ProtectionValues,
    rights: readonly RightsChange[],
  ): Promise<void> {
    if (!isValidRefName(name.replaceAll('*', 'x'))) throw invalid({ name: ['is invalid'] });
    return this.transactions.run(async (tx) => {
      const where = { projectId: project.id, refType: type };
      await tx.query(LOCK_PROJECT, [project.id]);
      if ((await tx.countBy(ProtectedRef, where)) >= MAX_PROTECTIONS)
        throw invalid({ base: [`a project can have at most ${MAX_PROTECTIONS}`] });
      const id = await insertNew(tx, ProtectedRef, { ...where, name, ...values });
      if (id === null) throw conflict(`Protected ${type} '${name}' already exists`);
      await this.rights.apply(tx, project.id, id, rights);
      await this.record(tx, project, caller, type, { id, name }, 'created');
    });
  }

  /** Updates a protection; what it already has is not a change. @throws 403 if the caller may not unprotect; 404 */
  update(
    project: ProjectSubject,
    caller: Caller,
    type: RefType,
    name: string,
    values: ProtectionValues,
    rights: readonly RightsChange[],
  ): Promise<void> {
    return this.transactions.run(async (tx) => {
      const found = await this.lock(tx, project, caller, type, name);
      const isChanged = await this.rights.apply(tx, project.id, found.id, rights);
      if (!isChanged && !differs(found, values)) return;
      await tx.update(ProtectedRef, { id: found.id }, { ...values, updatedAt: clock });
      await this.record(tx, project, caller, type, found, 'updated');
    });
  }

  /** Removes a protection. @throws 403 if the caller may not unprotect; 404; 412 */
  remove(
    project: ProjectSubject,
    caller: Caller,
    type: RefType,
    name: string,
    unmodified: UnmodifiedCheck = () => undefined,
  ): Promise<void> {
    return this.transactions.run(async (tx) => {
      const found = await this.lock(tx, project, caller, type, name);
      unmodified(found.updatedAt);
      await tx.delete(ProtectedRef, { id: found.id });
      await this.record(tx, project, caller, type, found, 'removed');
    });
  }

  /** Locks the protection, whose own access levels decide who may change or remove it. */
  private async lock(
    tx: Tx,
    project: ProjectSubject,
    { actor, role }: Caller,
    refType: RefType,
    name: string,
  ): Promise<ProtectedRef> {
    const where = { projectId: project.id, refType, name };
    const found = await tx.findOne(ProtectedRef, { where, lock: { mode: 'pessimistic_write' } });
    if (!found) throw notFound(PROTECTION_TITLES[refType]);
    const [row] = await tx.query<{ allowed: boolean | null }[]>(MAY_UNPROTECT, [
      found.id,
      actor?.id ?? 0,
      role,
    ]);
    if (row?.allowed === false) throw forbidden();
    return found;
  }

  private record(
    tx: Tx,
    project: ProjectSubject,
    { actor }: Caller,
    type: RefType,
    { id, name }: Pick<ProtectedRef, 'id' | 'name'>,
    happened: 'created' | 'updated' | 'removed',
  ): Promise<void> {
    const scope = { type: 'Project', id: project.id, path: project.fullPath } as const;
    const target = { type: PROTECTION_TITLES[type].replace(' ', ''), id, details: name };
    return this.audit.record(tx, actor, scope, target, {
      customMessage: `Protection of the ${type} ${name} ${happened}`,
      eventName: `protected_${type}_${happened}`,
    });
  }
}
