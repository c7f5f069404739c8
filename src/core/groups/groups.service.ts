import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { AuditLogService, type AuditChange, type AuditScope } from '#core/audit/audit-log.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { MembersService } from '#core/members/members.service.js';
import { givenSettings } from './settings/group-changes.js';
import { invalidGroup, notSaved } from './group-problems.js';
import { GroupProjectsPort } from './group-projects.port.js';
import { GroupRules, MAX_DEPTH } from './group.rules.js';
import { groupSettings } from './settings/group-settings.js';
import type { CreateGroupParams, UpdateGroupParams } from './groups.params.js';
import { Namespace } from './namespaces/namespace.entity.js';
import { NamespaceTreeService } from './namespaces/namespace-tree.service.js';
import { NamespacesQueries, type NamespaceTarget } from './namespaces/namespaces.queries.js';
import { NamespacesService } from './namespaces/namespaces.service.js';
import { AvatarUploadsService } from '#core/avatars/avatar-uploads.service.js';

const TAKEN = 'has already been taken';

/** Creates and updates groups (`auth-core.md` 6.2). */
@Injectable()
export class GroupsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly namespaces: NamespacesService,
    private readonly queries: NamespacesQueries,
    private readonly tree: NamespaceTreeService,
    private readonly rules: GroupRules,
    private readonly members: MembersService,
    private readonly audit: AuditLogService,
    private readonly settings: SettingsService,
    private readonly projects: GroupProjectsPort,
    private readonly avatars: AvatarUploadsService,
  ) {}

  /** Creates a group with the caller as its owner, and returns its id. */
  async create(caller: UserCaller, params: CreateGroupParams): Promise<number> {
    const actor = caller.actor;
    const parentId = await this.findParent(actor, params.parent_id ?? null);
    try {
      return await this.avatars.bring(params.avatar, (put) =>
        this.transactions.run(async (tx) => {
          const id = await this.insert(tx, caller, params, parentId);
          await put(tx, 'group', id);
          return id;
        }),
      );
    } catch (error) {
      throw invalidGroup(asTakenName(error));
    }
  }

  /**
   * Creates a group within a transaction, in a parent that was found for the caller; null for the top level.
   * @throws 400, 403, 404
   */
  async createWithin(
    tx: Tx,
    caller: UserCaller,
    params: CreateGroupParams,
    parent: NamespaceTarget | null,
  ): Promise<number> {
    if (parent) this.rules.assertMayCreateIn(parent.settings, parent.role);
    try {
      return await this.insert(tx, caller, params, parent?.id ?? null);
    } catch (error) {
      throw invalidGroup(asTakenName(error));
    }
  }

  /** Updates a group; after a change of its name or path, everything below is updated too. */
  async update(caller: UserCaller, groupId: number, params: UpdateGroupParams): Promise<void> {
    try {
      await this.avatars.bring(params.avatar, (put) =>
        this.transactions.run(async (tx) => {
          const isRenaming = params.name !== undefined || params.path !== undefined;
          if (isRenaming) await this.tree.lock(tx);
          const group = await this.findLocked(tx, groupId);
          if (isRenaming) await this.rename(tx, caller, group, params);
          await this.changeVisibility(tx, caller, group, params);
          await this.changeSettings(tx, caller, group, params);
          await put(tx, 'group', group.id);
        }),
      );
    } catch (error) {
      throw invalidGroup(asTakenName(error));
    }
  }

  /** Returns the row of a group, locked. @throws 404 */
  async findLocked(tx: Tx, id: number): Promise<Namespace> {
    const group = await tx.findOne(Namespace, {
      where: { id, type: 'Group', pendingDelete: false },
      lock: { mode: 'for_no_key_update' },
    });
    if (!group) throw notFound('Group');
    return group;
  }

  private async findParent(actor: Actor, parentId: number | null): Promise<number | null> {
    if (parentId === null) return null;
    const parent = await this.queries.findOrNull(actor, parentId);
    if (parent?.type !== 'Group') throw notFound('Group');
    this.rules.assertMayCreateIn(parent.settings, parent.role);
    return parent.id;
  }

  private async insert(
    tx: Tx,
    caller: UserCaller,
    params: CreateGroupParams,
    parentId: number | null,
  ): Promise<number> {
    const actor = caller.actor;
    await this.tree.lockToAdd(tx);
    const parent = parentId === null ? null : await this.namespaces.findForContent(tx, parentId);
    if (parentId !== null && !parent) throw notFound('Group');
    if (!parent) await this.rules.assertMayCreateAtTop(tx, actor);
    const { name, path, description = '' } = params;
    this.rules.assertNames(name, path, !parent);
    if (parent && parent.traversalIds.length >= MAX_DEPTH)
      throw notSaved('parent_id', 'has too deep level of nesting');
    if (params.visibility) this.rules.assertVisibility(actor, params.visibility, parent);
    const visibility = params.visibility ?? this.rules.defaultVisibility(actor, parent);
    const given = givenSettings(params, caller);
    await this.projects.assertTemplates(given['file_template_project_id'], caller);
    const settings = {
      default_branch_protection: this.settings.values.default_branch_protection,
      ...given,
    };
    const fields = { type: 'Group', name, path, description, visibility, settings, ownerId: null } as const;
    const group = await this.namespaces.insert(tx, fields, parent);
    if (!group) throw notSaved('path', TAKEN);
    await this.addOwner(tx, actor, group);
    await this.record(tx, actor, group, { add: 'group' });
    return group.id;
  }

  private async addOwner(tx: Tx, { id: userId }: Actor, group: Namespace): Promise<void> {
    await this.members.add(tx, {
      sourceType: 'Namespace',
      sourceId: group.id,
      userId,
      accessLevel: Role.Owner,
      createdById: userId,
      expiresAt: null,
    });
  }

  private async rename(tx: Tx, caller: Caller, group: Namespace, params: UpdateGroupParams): Promise<void> {
    const { name = group.name, path = group.path } = params;
    if (name === group.name && path === group.path) return;
    this.rules.assertNames(name, path, group.parentId === null);
    const parent =
      group.parentId === null ? null : await tx.findOneByOrFail(Namespace, { id: group.parentId });
    if (!(await this.tree.relocate(tx, group, { name, path, parent }))) throw notSaved('path', TAKEN);
    for (const [change, from, to] of [
      ['name', group.name, name],
      ['path', group.path, path],
    ] as const) {
      if (from !== to) await this.record(tx, caller.actor, group, { change, from, to });
    }
  }

  private async changeVisibility(
    tx: Tx,
    caller: UserCaller,
    group: Namespace,
    params: UpdateGroupParams,
  ): Promise<void> {
    const { visibility } = params;
    if (visibility === undefined || visibility === group.visibility) return;
    const parent = group.parentId === null ? null : await this.namespaces.findForContent(tx, group.parentId);
    this.rules.assertVisibility(caller.actor, visibility, parent);
    await this.rules.assertNotNarrowerThanContent(tx, group.id, visibility);
    await tx.update(Namespace, { id: group.id }, { visibility });
    const from = group.visibility;
    await this.record(tx, caller.actor, group, { change: 'visibility', from, to: visibility });
  }

  private async changeSettings(
    tx: Tx,
    caller: Caller,
    group: Namespace,
    params: UpdateGroupParams,
  ): Promise<void> {
    const given = givenSettings(params, caller);
    const former = groupSettings(group.settings) as Readonly<Record<string, unknown>>;
    if (given['file_template_project_id'] !== former['file_template_project_id'])
      await this.projects.assertTemplates(given['file_template_project_id'], caller);
    const changed = Object.entries(given).filter(([name, value]) => former[name] !== value);
    const { description = group.description } = params;
    await tx.query(
      `update namespaces set settings = settings || $2::jsonb, description = $3, updated_at = ${STATEMENT_TIME}
       where id = $1 and (settings || $2::jsonb, description) is distinct from (settings, $3)`,
      [group.id, JSON.stringify(given), description],
    );
    for (const [name, to] of changed)
      await this.record(tx, caller.actor, group, { change: name, from: former[name], to });
  }

  private async record(tx: Tx, author: Actor | null, group: Namespace, change: AuditChange): Promise<void> {
    const scope: AuditScope = { type: 'Group', id: group.id, path: group.fullPath };
    const target = { type: 'Group', id: group.id, details: group.fullPath };
    await this.audit.record(tx, author, scope, target, change);
  }
}

/** A name that another group of the same parent has is detected by a unique index. */
const asTakenName = (error: unknown): unknown =>
  violatedConstraint(error) === 'namespaces_parent_name' ? notSaved('name', TAKEN) : error;
