import { Injectable } from '@nestjs/common';
import type { UserCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { invalid, missingAttribute, notFound } from '#kernel/http/errors.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { NamespacesQueries, type NamespaceTarget } from '#core/groups/namespaces/namespaces.queries.js';
import { NamespacesService } from '#core/groups/namespaces/namespaces.service.js';
import { RoutesService } from '#core/groups/namespaces/routes.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { assertBelowLimit } from './personal-projects.limit.js';
import type { CreateProjectParams, ProjectAttributesParams } from '../projects.params.js';
import { onceMoreIfTaken, pathTaken, ProjectRules, refuse } from '../project.rules.js';
import { cappedVisibility, levelProblems, settingsOf, slugOf, topicsOf } from '../project-values.js';
import { Project } from '../project.entity.js';
import { StorageChoiceService } from './storage-choice.service.js';
import { AvatarUploadsService } from '#core/avatars/avatar-uploads.service.js';

const OWN_NAMESPACE = 'select id from namespaces where owner_id = $1 and not pending_delete';

const namespaceNotValid = (): Error => invalid({ namespace: ['is not valid'] });

/** Additional work on a new project, in the transaction that creates it. */
export type ProjectCreated = (tx: Tx, id: number) => Promise<void>;

/** Creates projects. */
@Injectable()
export class CreateProject {
  constructor(
    private readonly transactions: Transactions,
    private readonly database: ReadDatabase,
    private readonly namespaceQueries: NamespacesQueries,
    private readonly namespaces: NamespacesService,
    private readonly routes: RoutesService,
    private readonly settings: SettingsService,
    private readonly storages: StorageChoiceService,
    private readonly rules: ProjectRules,
    private readonly events: DomainEvents,
    private readonly avatars: AvatarUploadsService,
  ) {}

  /**
   * Creates a project in the requested namespace, by default the caller's own; returns its id. `also` runs in
   * the same transaction.
   */
  async create(caller: UserCaller, params: CreateProjectParams, also?: ProjectCreated): Promise<number> {
    const actor = caller.actor;
    const namespaceId = params.namespace_id ?? (await this.ownNamespaceId(actor.id));
    const target = namespaceId === null ? null : await this.namespaceQueries.findOrNull(actor, namespaceId);
    if (!target || (target.type === 'User' && target.role === Role.None)) throw namespaceNotValid();
    return this.createIn(target, actor.id, caller, params, also);
  }

  /** Creates a project in the namespace of a user, as that user. @throws 404 */
  async createFor(userId: number, caller: UserCaller, params: ProjectAttributesParams): Promise<number> {
    const namespaceId = await this.ownNamespaceId(userId);
    const target =
      namespaceId === null ? null : await this.namespaceQueries.findOrNull(caller.actor, namespaceId);
    if (!target) throw notFound('User');
    return this.createIn(target, userId, caller, params);
  }

  /**
   * Creates an imported project within a transaction, in a namespace that was found for the caller; no
   * notifications are sent.
   * @throws 400, 403
   */
  async createWithin(
    tx: Tx,
    caller: UserCaller,
    params: ProjectAttributesParams,
    target: NamespaceTarget,
    createdAt: Date | null,
  ): Promise<number> {
    const actor = caller.actor;
    this.rules.assertMayCreate(target);
    const fields = this.fieldsOf(target, actor, params);
    const settings = settingsOf(params, caller.tier);
    const { id } = await this.insert(tx, target.id, {
      ...fields,
      creatorId: actor.id,
      settings,
      ...(createdAt ? { createdAt } : {}),
    });
    return id;
  }

  private async ownNamespaceId(userId: number): Promise<number | null> {
    return (await this.database.one<{ id: number }>(OWN_NAMESPACE, [userId]))?.id ?? null;
  }

  private async createIn(
    target: NamespaceTarget,
    creatorId: number,
    caller: UserCaller,
    params: ProjectAttributesParams,
    also?: ProjectCreated,
  ): Promise<number> {
    const actor = caller.actor;
    this.rules.assertMayCreate(target);
    const fields = this.fieldsOf(target, actor, params);
    const settings = settingsOf(params, caller.tier);
    refuse(levelProblems(params, settings));
    const limited = target.ownerId !== null && !actor.admin ? target.ownerId : null;
    return this.avatars.bring(params.avatar, (put) =>
      onceMoreIfTaken(() =>
        this.transactions.run(async (tx) => {
          if (limited !== null) await assertBelowLimit(tx, limited, target.id);
          const { id } = await this.insert(tx, target.id, { ...fields, creatorId, settings });
          const container = { projectId: id, groupId: null };
          await this.events.publish(tx, new ActivityHappened('created', creatorId, container, null));
          await put(tx, 'project', id);
          await also?.(tx, id);
          return id;
        }),
      ),
    );
  }

  private fieldsOf(
    target: NamespaceTarget,
    actor: Actor,
    params: ProjectAttributesParams,
  ): Pick<
    Project,
    'name' | 'path' | 'visibility' | 'description' | 'defaultBranch' | 'topics' | 'repositoryStorage'
  > {
    const { values } = this.settings;
    const name = params.name?.trim() ?? params.path;
    if (name === undefined) throw missingAttribute('name');
    const path = params.path ?? slugOf(name);
    const cap = target.type === 'Group' ? target.visibility : null;
    const preset = cappedVisibility(values.default_project_visibility as Project['visibility'], cap);
    const isPresetTaken = !actor.admin && values.restricted_visibility_levels.includes(preset);
    const visibility = params.visibility ?? (isPresetTaken ? 'private' : preset);
    const storage = actor.admin ? params.repository_storage : undefined;
    refuse({
      ...this.rules.nameProblems(name, path),
      ...(params.visibility ? this.rules.visibilityProblems(visibility, cap, actor) : {}),
      ...(storage && !this.storages.exists(storage)
        ? { repository_storage: ['is not included in the list'] }
        : {}),
    });
    return {
      name,
      path,
      visibility,
      description: params.description ?? null,
      defaultBranch: params.default_branch ?? values.default_branch_name,
      topics: topicsOf(params) ?? [],
      repositoryStorage: storage || this.storages.choose(),
    };
  }

  private async insert(tx: Tx, namespaceId: number, fields: Partial<Project>): Promise<Project> {
    const { name = '', path = '', settings = {}, ...columns } = fields;
    const namespace = await this.namespaces.findForContent(tx, namespaceId);
    if (!namespace) throw namespaceNotValid();
    await this.rules.assertFree(tx, namespace.id, name, path, null);
    const { visibility = 'private' } = columns;
    const project = tx.create(Project, {
      ...columns,
      // The visibility of the group may have been lowered since it was read.
      visibility: cappedVisibility(visibility, namespace.type === 'Group' ? namespace.visibility : null),
      name,
      path,
      namespaceId: namespace.id,
      fullPath: `${namespace.fullPath}/${path}`,
      fullName: `${namespace.fullName} / ${name}`,
    });
    project.settings = settings;
    await tx.save(project);
    if (!(await this.routes.claim(tx, project.fullPath, 'Project', project.id))) throw pathTaken();
    return project;
  }
}
