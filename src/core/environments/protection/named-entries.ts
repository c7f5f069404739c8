import type { EntityTarget } from 'typeorm';
import { Role } from '#kernel/access/roles.js';
import { differs } from '#kernel/database/base.entity.js';
import { clock } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { DEPLOY_LEVELS } from './protected-environment.record.js';
import { ApprovalRule, DeployAccessLevel } from './protected-environment.entity.js';
import { MAX_ENTRIES, type ChangedApprovalRule } from './protected-environments.params.js';
import type { ProtectionOwner } from './protection-owner.js';
import { unprocessable } from './protection-problems.js';
import { qualifiedGroups, qualifiedUsers } from './qualified.js';

/** Columns that identify the holder of an entry. */
interface Values {
  accessLevel?: number | null;
  userId?: number | null;
  groupId?: number | null;
  groupInheritanceType?: number;
  requiredApprovals?: number;
}

/** The two lists of a protection. */
const KINDS = {
  levels: { entity: DeployAccessLevel, words: 'Deploy access levels', title: 'Deploy Access Level' },
  rules: { entity: ApprovalRule, words: 'Approval rules', title: 'Approval Rule' },
} as const;

/** Name of a list. */
export type EntryKind = keyof typeof KINDS;

const MAX_APPROVALS = 5;

/** Adds, changes and removes entries of a protection. */
export class NamedEntries {
  private readonly entity: EntityTarget<ApprovalRule>;

  constructor(
    private readonly tx: Tx,
    private readonly owner: ProtectionOwner,
    private readonly protectedEnvironmentId: number,
    private readonly kind: EntryKind,
  ) {
    this.entity = KINDS[kind].entity;
  }

  /**
   * Applies changes, and returns whether any entry became another. Invalid holders are dropped from those who may deploy, but rejected as approvers: a
   * silently missing rule would let deployments pass.
   * @throws 404 for an unknown id, 422
   */
  async apply(changes: readonly ChangedApprovalRule[]): Promise<boolean> {
    const users = await qualifiedUsers(this.tx, this.owner, idsOf(changes, 'user_id'));
    const groups = await qualifiedGroups(this.tx, this.owner, idsOf(changes, 'group_id'));
    let isChanged = false;
    for (const change of changes) {
      if (change.destroy) {
        await this.remove(change.id);
        isChanged = true;
      } else {
        const values = this.valuesOf(change);
        const isKnown =
          (typeof values.userId !== 'number' || users.has(values.userId)) &&
          (typeof values.groupId !== 'number' || groups.has(values.groupId));
        if (isKnown) isChanged = (await this.write(change.id, values)) || isChanged;
        else if (this.kind === 'rules')
          throw this.problem('must name members and groups that have access to the environment');
      }
    }
    const isLonger = changes.some(({ id }) => id === undefined);
    if (isLonger && (await this.count()) > MAX_ENTRIES)
      throw this.problem(`is too long (maximum is ${MAX_ENTRIES} entries)`);
    return isChanged;
  }

  /** Counts the entries. */
  count(): Promise<number> {
    return this.tx.countBy(this.entity, { protectedEnvironmentId: this.protectedEnvironmentId });
  }

  private async write(id: number | undefined, values: Values): Promise<boolean> {
    const { protectedEnvironmentId } = this;
    if (id === undefined) {
      await this.tx.insert(this.entity, { ...values, protectedEnvironmentId });
      return true;
    }
    const found = await this.tx.findOneBy(this.entity, { id, protectedEnvironmentId });
    if (!found) throw notFound(KINDS[this.kind].title);
    if (!differs<Values>(found, values)) return false;
    await this.tx.update(this.entity, { id }, { ...values, updatedAt: clock });
    return true;
  }

  /** An entry without an id would be a new one: the right to take away would be given. */
  private async remove(id: number | undefined): Promise<void> {
    if (id === undefined) throw this.problem('can be removed only by id');
    const { affected } = await this.tx.delete(this.entity, {
      id,
      protectedEnvironmentId: this.protectedEnvironmentId,
    });
    if (affected !== 1) throw notFound(KINDS[this.kind].title);
  }

  private valuesOf(change: ChangedApprovalRule): Values {
    const { required_approvals: required, group_inheritance_type: inheritance } = change;
    if (required !== undefined && (required < 1 || required > MAX_APPROVALS))
      throw this.problem(`required approvals must be between 1 and ${MAX_APPROVALS}`);
    return {
      ...this.nameOf(change),
      ...(inheritance === undefined ? {} : { groupInheritanceType: inheritance }),
      ...(required === undefined ? {} : { requiredApprovals: required }),
    };
  }

  /**
   * Returns one of role, user and group; without any, an existing entry keeps its holder, and a new deploy
   * entry is for Maintainers.
   */
  private nameOf(change: ChangedApprovalRule): Values {
    const { id, access_level: level, user_id: userId, group_id: groupId } = change;
    const given = [level, userId, groupId];
    if (given.every((one) => one === undefined)) {
      if (id !== undefined) return {};
      if (this.kind === 'levels') return { accessLevel: Role.Maintainer };
    }
    if (given.filter((one) => typeof one === 'number').length !== 1)
      throw this.problem('must name one of access_level, user_id and group_id');
    if (typeof level === 'number' && !DEPLOY_LEVELS.includes(level))
      throw this.problem('access level is not included in the list');
    return { accessLevel: level ?? null, userId: userId ?? null, groupId: groupId ?? null };
  }

  private problem(text: string): Error {
    return unprocessable(`${KINDS[this.kind].words} ${text}`);
  }
}

const idsOf = (changes: readonly ChangedApprovalRule[], name: 'user_id' | 'group_id'): number[] =>
  changes.flatMap((change) => change[name] ?? []);
