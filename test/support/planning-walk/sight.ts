import type { Facts, GroupFacts, Kind, ProjectFacts, ThingFacts, Viewer } from './facts.js';

const GUEST = 10;
const REPORTER = 20;

/** Who sees what, by `auth-core.md` 6 and `planning.md` 3 and 5 in plain words. */
export class Sight {
  constructor(
    private readonly facts: Facts,
    private readonly viewer: Viewer | null,
  ) {}

  private open(visibility: string): boolean {
    if (visibility === 'public') return true;
    return visibility === 'internal' && this.viewer !== null && !this.viewer.external;
  }

  group(id: number): GroupFacts {
    return this.facts.groups.get(id) as GroupFacts;
  }

  project(id: number): ProjectFacts {
    return this.facts.projects.get(id) as ProjectFacts;
  }

  /** A group and those above it. */
  above(id: number): number[] {
    const { parent_id: parent } = this.group(id);
    return parent === null ? [id] : [id, ...this.above(parent)];
  }

  /** By direct memberships in the group or above it. */
  private held(id: number): number {
    return Math.max(...this.above(id).map((one) => this.group(one).members.get(this.viewer?.id ?? 0) ?? 0));
  }

  groupRole(id: number): number {
    const shares = this.above(id).flatMap((one) => this.group(one).shared_with_groups);
    const lent = shares.map((one) => Math.min(one.group_access_level, this.held(one.group_id)));
    return Math.max(this.held(id), ...lent);
  }

  projectRole(id: number): number {
    const { namespace, members, owner } = this.project(id);
    const own = members.get(this.viewer?.id ?? 0) ?? 0;
    if (namespace.kind === 'group') return Math.max(own, this.groupRole(namespace.id));
    return owner?.id === this.viewer?.id ? 50 : own;
  }

  seesGroup(id: number): boolean {
    return this.isAdmin || this.open(this.group(id).visibility) || this.groupRole(id) > 0;
  }

  seesProject(id: number): boolean {
    return this.isAdmin || this.open(this.project(id).visibility) || this.projectRole(id) > 0;
  }

  /** Whether the issues or merge requests of a project may be read. */
  reads(id: number, kind: Kind): boolean {
    const {
      visibility,
      issues_access_level: issues,
      merge_requests_access_level: requests,
    } = this.project(id);
    const level = kind === 'issue' ? issues : requests;
    if (level === 'disabled' || !this.seesProject(id)) return false;
    if (this.isAdmin) return true;
    const role = this.projectRole(id);
    if (this.open(visibility)) return level === 'enabled' || role >= GUEST;
    return role >= (kind === 'issue' ? GUEST : REPORTER);
  }

  /** Members of a project know its labels if it has issues or merge requests at all. */
  knowsLabels(id: number): boolean {
    const { issues_access_level: issues, merge_requests_access_level: requests } = this.project(id);
    return this.projectRole(id) >= GUEST && (issues !== 'disabled' || requests !== 'disabled');
  }

  /** Whether an epic may be read, by its group. */
  private readsEpic({ group_id: group = 0, confidential }: ThingFacts): boolean {
    if (!this.seesGroup(group)) return false;
    return confidential !== true || this.isAdmin || this.groupRole(group) >= REPORTER;
  }

  sees(kind: Kind, thing: ThingFacts): boolean {
    if (kind === 'epic') return this.readsEpic(thing);
    const { project_id: project = 0, confidential, author, assignees = [] } = thing;
    if (!this.reads(project, kind)) return false;
    if (confidential !== true || this.isAdmin || this.projectRole(project) >= REPORTER) return true;
    return [author, ...assignees].some(({ id }) => id === this.viewer?.id);
  }

  private get isAdmin(): boolean {
    return this.viewer?.admin === true;
  }
}
