import type { Chance } from '../hostile/chance.js';
import type { EpicModel, ModelIssue } from './epic-model.js';
import { chainOf, type EpicStage } from './epic-stage.js';

interface Milestone {
  readonly start_date: string | null;
  readonly due_date: string | null;
}

const DAYS = ['2026-01-01', '2026-02-02', '2026-03-03', '2026-04-04'];

/** What the administrator does to groups, projects, people and issues beneath epics. */
export class EpicUpheavals {
  private named = 0;

  constructor(
    private readonly stage: EpicStage,
    private readonly model: EpicModel,
    private readonly chance: Chance,
  ) {}

  /** Something random, as a line of the log. */
  async next(): Promise<string> {
    const { chance } = this;
    return chance.of([
      () => this.transferGroup(),
      () => this.transferProject(),
      () => this.moveIssue(),
      () => this.moveIssue(),
      () => this.removeIssue(),
      () => this.setMilestone(),
      () => this.setMilestone(),
      () => this.setMilestone(),
      () => this.setRole(),
      () => this.setRole(),
      () => this.share(),
    ])();
  }

  private get root(): EpicStage['api']['root'] {
    return this.stage.api.root;
  }

  /** Only the private group moves: others may not be wider than what they would be below. */
  private async transferGroup(): Promise<string> {
    const { side, top, inner, other } = this.stage.groups;
    const to = this.chance.of([null, top, inner, other].filter((one) => one !== side.parent));
    const { status } = await this.root.post(`/groups/${side.id}/transfer`, to ? { group_id: to.id } : {});
    if (status === 201) {
      side.parent = to;
      this.model.part();
      await this.learnMilestones();
    }
    return `group side goes to ${to?.name}: ${status}`;
  }

  private async transferProject(): Promise<string> {
    const { projects, groups } = this.stage;
    const project = this.chance.of(projects.filter(({ visibility }) => visibility === 'private'));
    const to = this.chance.of([groups.deep, groups.side, groups.other, groups.inner]);
    const { status } = await this.root.put(`/projects/${project.id}/transfer`, { namespace: to.id });
    if (status === 200) {
      project.group = to;
      this.model.part();
      await this.learnMilestones();
    }
    return `project ${project.id} goes to ${to.name}: ${status}`;
  }

  private async moveIssue(): Promise<string> {
    const issue = this.someIssue();
    const to = this.chance.of(this.stage.projects);
    if (!issue || issue.project === to) return 'no move';
    const { id, project } = issue;
    const { status, body } = await this.root.post<{ id: number; iid: number }>(
      `/projects/${project.id}/issues/${issue.iid}/move`,
      { to_project_id: to.id },
    );
    if (status === 201) {
      Object.assign(issue, { id: body.id, iid: body.iid, project: to });
      if (issue.epic && !chainOf(to.group).includes(issue.epic.group)) this.model.assign(issue, null);
      await this.learnMilestones();
    }
    return `issue ${id} moves to project ${to.id} as ${body.id}: ${status}`;
  }

  private async removeIssue(): Promise<string> {
    const issue = this.someIssue();
    if (!issue || !this.chance.oneIn(2)) return 'no removal';
    const { status } = await this.root.delete(`/projects/${issue.project.id}/issues/${issue.iid}`);
    if (status === 204) {
      this.model.assign(issue, null);
      this.model.issues = this.model.issues.filter((one) => one !== issue);
    }
    return `issue ${issue.id} is removed: ${status}`;
  }

  private async setMilestone(): Promise<string> {
    const { chance } = this;
    const issue = this.someIssue();
    if (!issue) return 'no issue';
    const place = chance.oneIn(2)
      ? `projects/${issue.project.id}`
      : `groups/${chance.of(chainOf(issue.project.group)).id}`;
    const [start, due] = [chance.of([null, ...DAYS]), chance.of([null, ...DAYS])].sort();
    this.named += 1;
    const dates = { start_date: start ?? null, due_date: due ?? null };
    const title = `Milestone ${this.named}`;
    const made = await this.root.post<{ id: number }>(`/${place}/milestones`, { title, ...dates });
    const { status } = await this.root.put(`/projects/${issue.project.id}/issues/${issue.iid}`, {
      milestone_id: made.body.id,
    });
    await this.learnMilestones();
    return `issue ${issue.id} gets a milestone of ${place} ${start} to ${due}: ${made.status} ${status}`;
  }

  private async setRole(): Promise<string> {
    const { chance, stage } = this;
    const person = chance.of(stage.people);
    const group = chance.of([...stage.all, stage.groups.friends]);
    const level = chance.of([0, 10, 20, 30]);
    const members = `/groups/${group.id}/members`;
    const { status } =
      level === 0
        ? await this.root.delete(`${members}/${person.id}`)
        : person.groups.has(group)
          ? await this.root.put(`${members}/${person.id}`, { access_level: level })
          : await this.root.post(members, { user_id: person.id, access_level: level });
    if (level === 0 && status === 204) this.leave(person, group);
    else if (status < 300) person.groups.set(group, level);
    return `${person.name} gets ${level} in ${group.name}: ${status}`;
  }

  /** Who is removed from a group is removed from everything below it. */
  private leave(person: EpicStage['people'][number], group: EpicStage['all'][number]): void {
    for (const one of [...person.groups.keys()]) if (chainOf(one).includes(group)) person.groups.delete(one);
    for (const one of [...person.projects.keys()])
      if (chainOf(one.group).includes(group)) person.projects.delete(one);
  }

  private async share(): Promise<string> {
    const { chance, stage } = this;
    const { friends } = stage.groups;
    const group = chance.of(stage.all);
    if (stage.shares.has(group)) {
      const { status } = await this.root.delete(`/groups/${group.id}/share/${friends.id}`);
      if (status === 204) stage.shares.delete(group);
      return `${group.name} is shared no more: ${status}`;
    }
    const level = chance.of([10, 20, 30]);
    const { status } = await this.root.post(`/groups/${group.id}/share`, {
      group_id: friends.id,
      group_access: level,
    });
    if (status === 201) stage.shares.set(group, { with: friends, level });
    return `${group.name} is shared with ${level}: ${status}`;
  }

  private someIssue(): ModelIssue | null {
    return this.model.issues.length > 0 ? this.chance.of(this.model.issues) : null;
  }

  /** Which milestones issues keep when something moves is the matter of other tests. */
  private async learnMilestones(): Promise<void> {
    for (const issue of this.model.issues) {
      const { body } = await this.root.get<{ milestone: Milestone | null }>(
        `/projects/${issue.project.id}/issues/${issue.iid}`,
      );
      const { milestone } = body;
      issue.milestone = milestone && { start: milestone.start_date, due: milestone.due_date };
    }
  }
}
