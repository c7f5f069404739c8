import { Injectable } from '@nestjs/common';
import type { Caller, GroupSubject, ProjectSubject } from '#kernel/access/caller.js';
import { differs } from '#kernel/database/base.entity.js';
import { insertNew } from '#kernel/database/statements/insert-new.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict, invalid, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { TIERS } from '../naming/environment-tier.js';
import { NamedEntries } from './named-entries.js';
import { ProtectedEnvironment } from './protected-environment.entity.js';
import type {
  CreateProtectedEnvironmentParams,
  UpdateProtectedEnvironmentParams,
} from './protected-environments.params.js';
import { protectionOwner, protectionScope } from './protection-owner.js';
import { unprocessable } from './protection-problems.js';

/** Limit of required approvals. */
export const MAX_APPROVALS = 5;

type ProtectionContainer = ProjectSubject | GroupSubject;

/** Protects environments of projects and tiers of groups; audits every change. */
@Injectable()
export class ProtectedEnvironmentsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Protects an environment, which need not exist. @throws 400 if the name for a group is not a tier, 409,
   * 422
   */
  create(
    container: ProtectionContainer,
    caller: Caller,
    params: CreateProtectedEnvironmentParams,
  ): Promise<void> {
    const { name, required_approval_count: count = 0 } = params;
    if (container.kind === 'Group' && !(TIERS as readonly string[]).includes(name))
      throw invalid({ name: ['does not have a valid value'] });
    assertCount(count);
    return this.transactions.run(async (tx) => {
      const id = await insertNew(tx, ProtectedEnvironment, {
        ...protectionOwner(container),
        name,
        requiredApprovalCount: count,
      });
      if (id === null) throw conflict(`Protected environment '${name}' already exists`);
      await this.apply(tx, container, id, params);
      await this.record(tx, container, caller, { id, name }, 'created');
    });
  }

  /** Updates a protection; what it already has is not a change. @throws 404, 422 */
  update(
    container: ProtectionContainer,
    caller: Caller,
    params: UpdateProtectedEnvironmentParams,
  ): Promise<void> {
    const { name, required_approval_count: count } = params;
    if (count !== undefined) assertCount(count);
    return this.transactions.run(async (tx) => {
      const found = await this.lock(tx, container, name);
      const { id } = found;
      const changes = count === undefined ? {} : { requiredApprovalCount: count };
      const isChanged = await this.apply(tx, container, id, params);
      if (!isChanged && !differs(found, changes)) return;
      await tx.update(ProtectedEnvironment, { id }, { ...changes, updatedAt: clock });
      await this.record(tx, container, caller, { id, name }, 'updated');
    });
  }

  /** Removes a protection. @throws 404, 412 */
  remove(
    container: ProtectionContainer,
    caller: Caller,
    name: string,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { id, updatedAt } = await this.lock(tx, container, name);
      unmodified(updatedAt);
      await tx.delete(ProtectedEnvironment, { id });
      await this.record(tx, container, caller, { id, name }, 'removed');
    });
  }

  /** Returns whether anything became another. */
  private async apply(
    tx: Tx,
    container: ProtectionContainer,
    id: number,
    params: Pick<UpdateProtectedEnvironmentParams, 'deploy_access_levels' | 'approval_rules'>,
  ): Promise<boolean> {
    const owner = protectionOwner(container);
    const levels = new NamedEntries(tx, owner, id, 'levels');
    const isChanged = await levels.apply(params.deploy_access_levels ?? []);
    if ((await levels.count()) === 0)
      throw unprocessable('Deploy access levels is too short (minimum is 1 character)');
    return (await new NamedEntries(tx, owner, id, 'rules').apply(params.approval_rules ?? [])) || isChanged;
  }

  private async lock(tx: Tx, container: ProtectionContainer, name: string): Promise<ProtectedEnvironment> {
    const { projectId, groupId } = protectionOwner(container);
    const where = projectId === null ? { groupId, name } : { projectId, name };
    const found = await tx.findOne(ProtectedEnvironment, { where, lock: { mode: 'pessimistic_write' } });
    if (!found) throw notFound('Protected Environment');
    return found;
  }

  private record(
    tx: Tx,
    container: ProtectionContainer,
    { actor }: Caller,
    { id, name }: Pick<ProtectedEnvironment, 'id' | 'name'>,
    happened: 'created' | 'updated' | 'removed',
  ): Promise<void> {
    const target = { type: 'ProtectedEnvironment', id, details: name };
    return this.audit.record(tx, actor, protectionScope(container), target, {
      customMessage: `Protection of the environment ${name} ${happened}`,
      eventName: `protected_environment_${happened}`,
    });
  }
}

function assertCount(count: number): void {
  if (count < 0 || count > MAX_APPROVALS)
    throw unprocessable(`Required approval count must be between 0 and ${MAX_APPROVALS}`);
}
