import type { TestApi } from '../api.js';
import { buildGroup } from '../builders/group.js';
import { buildMember } from '../builders/member.js';
import { buildProject } from '../builders/project.js';
import { createUser, type CreatedUser } from '../builders/user.js';

export const GUEST = 10;
export const REPORTER = 20;
export const OWNER = 50;

/** A group in the model. */
export interface StageGroup {
  readonly id: number;
  readonly name: string;
  readonly visibility: 'public' | 'internal' | 'private';
  parent: StageGroup | null;
}

/** A project in the model. */
export interface StageProject {
  readonly id: number;
  readonly visibility: 'public' | 'internal' | 'private';
  group: StageGroup;
}

/** A person, with the roles that were given to them by hand. */
export interface StagePerson extends CreatedUser {
  readonly name: string;
  readonly isExternal: boolean;
  readonly groups: Map<StageGroup, number>;
  readonly projects: Map<StageProject, number>;
}

/** The groups from a group upwards. */
export function chainOf(group: StageGroup): StageGroup[] {
  return group.parent === null ? [group] : [group, ...chainOf(group.parent)];
}

/** Groups, projects and people, and who has which role where. */
export class EpicStage {
  /** Levels that a group has in another by a share. */
  readonly shares = new Map<StageGroup, { readonly with: StageGroup; readonly level: number }>();

  private constructor(
    readonly api: TestApi,
    readonly groups: Readonly<Record<'top' | 'inner' | 'deep' | 'side' | 'other' | 'friends', StageGroup>>,
    readonly projects: StageProject[],
    readonly people: StagePerson[],
  ) {}

  static async build(api: TestApi): Promise<EpicStage> {
    await api.root.put('/application/settings', { issues_create_limit: 0, notes_create_limit: 0 });
    const group = async (
      name: string,
      visibility: StageGroup['visibility'],
      parent: StageGroup | null,
    ): Promise<StageGroup> => {
      const values = { visibility, ...(parent ? { parent_id: parent.id } : {}) };
      return { id: (await buildGroup(api, values)).id, name, visibility, parent };
    };
    const top = await group('top', 'public', null);
    const inner = await group('inner', 'internal', top);
    const deep = await group('deep', 'private', inner);
    const side = await group('side', 'private', top);
    const other = await group('other', 'private', null);
    const friends = await group('friends', 'private', null);
    const projects: StageProject[] = [];
    for (const place of [top, inner, deep, side, other]) {
      const { id } = await buildProject(api.root, { namespace_id: place.id, visibility: place.visibility });
      projects.push({ id, visibility: place.visibility, group: place });
    }
    const stage = new EpicStage(api, { top, inner, deep, side, other, friends }, projects, []);
    await stage.meet('owner', [[top, OWNER]]);
    await stage.meet('reporter', [
      [top, REPORTER],
      [other, REPORTER],
    ]);
    await stage.meet('guest', [[top, GUEST]]);
    await stage.meet('inner', [
      [inner, REPORTER],
      [side, GUEST],
    ]);
    await stage.meet('friend', [[friends, 30]]);
    await stage.meet('stranger', []);
    await stage.meet('external', [[deep, GUEST]], true);
    const [, , ofDeep] = projects;
    const stranger = stage.people.find(({ name }) => name === 'stranger');
    if (!ofDeep || !stranger) throw new Error('The stage is complete');
    await buildMember(api, `projects/${ofDeep.id}`, stranger.id, REPORTER);
    stranger.projects.set(ofDeep, REPORTER);
    return stage;
  }

  private async meet(
    name: string,
    roles: readonly (readonly [StageGroup, number])[],
    external = false,
  ): Promise<void> {
    const user = await createUser(this.api, { external });
    for (const [group, level] of roles) await buildMember(this.api, `groups/${group.id}`, user.id, level);
    this.people.push({ ...user, name, isExternal: external, groups: new Map(roles), projects: new Map() });
  }

  get all(): StageGroup[] {
    const { top, inner, deep, side, other } = this.groups;
    return [top, inner, deep, side, other];
  }

  roleIn(person: StagePerson, group: StageGroup): number {
    const direct = (one: StageGroup): number =>
      Math.max(0, ...chainOf(one).map((above) => person.groups.get(above) ?? 0));
    const shared = chainOf(group).map((one) => {
      const share = this.shares.get(one);
      return share ? Math.min(share.level, direct(share.with)) : 0;
    });
    return Math.max(direct(group), ...shared);
  }

  roleInProject(person: StagePerson, project: StageProject): number {
    return Math.max(person.projects.get(project) ?? 0, this.roleIn(person, project.group));
  }

  isOpen(person: StagePerson, visibility: StageGroup['visibility']): boolean {
    return visibility === 'public' || (visibility === 'internal' && !person.isExternal);
  }
}
