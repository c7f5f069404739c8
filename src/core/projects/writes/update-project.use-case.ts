import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { forbidden } from '#kernel/http/errors.js';
import type { Namespace, Visibility } from '#core/groups/namespaces/namespace.entity.js';
import { DefaultBranchChanged } from '../default-branch-changed.event.js';
import { auditedChanges, auditedColumns } from './project-changes.js';
import type { ProjectAttributesParams } from '../projects.params.js';
import { ProjectSettingsChanged } from '../settings/project-settings-changed.event.js';
import { ProjectStorageWanted } from '../project-storage-wanted.event.js';
import { onceMoreIfTaken, ProjectRules, refuse, type Problems } from '../project.rules.js';
import { levelProblems, settingsOf, topicsOf } from '../project-values.js';
import { ProjectService } from '../project.service.js';
import { Project } from '../project.entity.js';
import { DefaultBranchPort } from './default-branch.port.js';
import { StorageChoiceService } from './storage-choice.service.js';
import { AvatarUploadsService } from '#core/avatars/avatar-uploads.service.js';

/** Updates the attributes of projects. */
@Injectable()
export class UpdateProject {
  constructor(
    private readonly transactions: Transactions,
    private readonly writes: ProjectService,
    private readonly rules: ProjectRules,
    private readonly storages: StorageChoiceService,
    private readonly events: DomainEvents,
    private readonly avatars: AvatarUploadsService,
    private readonly branches: DefaultBranchPort,
  ) {}

  /**
   * Updates the given attributes; only owners may change name, path and visibility, only administrators the
   * storage.
   */
  async update(id: number, caller: UserCaller, params: ProjectAttributesParams): Promise<void> {
    const { default_branch: branch } = params;
    const branchProblems = branch === undefined ? {} : await this.branches.problems(id, branch);
    await this.avatars.bring(params.avatar, (put) =>
      onceMoreIfTaken(() =>
        this.transactions.run(async (tx) => {
          await this.apply(tx, id, caller, params, branchProblems);
          await put(tx, 'project', id);
        }),
      ),
    );
  }

  /** Archives or unarchives a project. */
  async archive(id: number, caller: UserCaller, archived: boolean): Promise<void> {
    await this.transactions.run(async (tx) => {
      const project = await this.writes.lock(tx, id);
      await this.save(tx, caller.actor, project, { archived });
    });
  }

  private async apply(
    tx: Tx,
    id: number,
    caller: UserCaller,
    params: ProjectAttributesParams,
    branchProblems: Problems,
  ): Promise<void> {
    const actor = caller.actor;
    const { project, namespace, forkCap } = await this.writes.lockWithNamespace(tx, id);
    const changes = this.changesOf(project, caller, params);
    if ((changes.name ?? changes.path ?? changes.visibility) !== undefined && caller.role < Role.Owner)
      throw forbidden();
    refuse(levelProblems(params, changes.settings ?? project.settings));
    this.assertValid(changes, namespace, forkCap, actor, changes.defaultBranch ? branchProblems : {});
    const { name = project.name, path = project.path } = changes;
    if (name !== project.name || path !== project.path)
      await this.rules.assertFree(tx, namespace.id, name, path, project.id);
    const { repositoryStorage: storage, ...columns } = changes;
    const { settings: formerSettings } = project;
    await this.save(tx, actor, project, columns, namespace);
    if (changes.settings)
      await this.events.publish(tx, new ProjectSettingsChanged(id, formerSettings, changes.settings));
    if (changes.visibility) await this.writes.narrowForks(tx, actor, project);
    // The column changes only after the data has moved.
    if (storage) await this.events.publish(tx, new ProjectStorageWanted(project.id, storage, actor));
    if (changes.defaultBranch)
      await this.events.publish(tx, new DefaultBranchChanged(project.id, changes.defaultBranch));
  }

  /** Returns the columns that differ from the row; attributes with their present value need no right. */
  private changesOf(project: Project, caller: Caller, params: ProjectAttributesParams): Partial<Project> {
    const topics = topicsOf(params);
    const isAdmin = caller.actor?.admin === true;
    const asked: Partial<Record<keyof Project, unknown>> = {
      name: params.name?.trim(),
      path: params.path,
      visibility: params.visibility,
      description: params.description,
      defaultBranch: params.default_branch,
      repositoryStorage: isAdmin ? params.repository_storage || undefined : undefined,
      topics: topics ?? undefined,
      settings: { ...project.settings, ...settingsOf(params, caller.tier) },
    };
    const differing = Object.entries(asked).filter(
      ([column, value]) => value !== undefined && value !== project[column as keyof Project],
    );
    return Object.fromEntries(differing);
  }

  private assertValid(
    changes: Partial<Project>,
    namespace: Namespace,
    forkCap: Visibility | null,
    actor: Actor,
    branchProblems: Problems,
  ): void {
    const { name, path, visibility, repositoryStorage: storage } = changes;
    const cap = namespace.type === 'Group' ? namespace.visibility : null;
    refuse({
      ...this.rules.nameProblems(name, path),
      ...(visibility ? this.rules.visibilityProblems(visibility, cap, actor, forkCap) : {}),
      ...(storage !== undefined && !this.storages.exists(storage)
        ? { repository_storage: ['is not included in the list'] }
        : {}),
      ...branchProblems,
    });
  }

  private async save(
    tx: Tx,
    actor: Actor,
    project: Project,
    changes: Partial<Project>,
    namespace?: Namespace,
  ): Promise<void> {
    const before: Partial<Project> = Object.assign({}, project);
    const former = auditedColumns(project);
    Object.assign(project, changes);
    if (namespace) await this.writes.place(tx, project, namespace);
    const columns = differing(project, before);
    // `tx.save` would read the row again, and all updates of the project wait for this.
    if (Object.keys(columns).length > 0)
      await tx.update(Project, { id: project.id }, { ...columns, updatedAt: clock });
    for (const change of auditedChanges(former, project))
      await this.writes.record(tx, actor, project, change);
  }
}

/** Returns the columns of a project that differ from those before. */
const differing = (project: Project, before: Partial<Project>): Parameters<Tx['update']>[2] =>
  Object.fromEntries(
    Object.entries(project).filter(
      ([column, value]) => !isDeepStrictEqual(value, before[column as keyof Project]),
    ),
  );
