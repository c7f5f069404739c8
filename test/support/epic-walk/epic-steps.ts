import type { Answer } from '../client.js';
import { buildIssue } from '../builders/issue.js';
import type { Chance } from '../hostile/chance.js';
import { reorder, type EpicModel, type FixedDates, type ModelEpic, type ModelIssue } from './epic-model.js';
import { changes, drawDates, inOrder } from './epic-dates.js';
import { GUEST, OWNER, REPORTER, type EpicStage, type StagePerson } from './epic-stage.js';

/** What somebody did, whether it should work, and what came of it. */
export interface Done {
  readonly what: string;
  readonly isAllowed: boolean;
  readonly answer: Answer;
}

interface Numbered {
  readonly id: number;
  readonly iid: number;
}

const at = ({ group, iid }: ModelEpic): string => `/groups/${group.id}/epics/${iid}`;

/** What people do with epics and their issues. */
export class EpicSteps {
  constructor(
    private readonly stage: EpicStage,
    private readonly model: EpicModel,
    private readonly chance: Chance,
  ) {}

  /** Something random; null if there was nothing to do it with. */
  async next(): Promise<Done | null> {
    const { chance, model, stage } = this;
    const [owner, reporter] = stage.people;
    const able = chance.of([owner, reporter]);
    const person = chance.oneIn(2) && able ? able : chance.of(stage.people);
    const { epics, issues } = model;
    if (epics.length < 4 || (epics.length < 14 && chance.oneIn(6))) return this.create(person);
    if (issues.length < 4 || (issues.length < 12 && chance.oneIn(8))) return this.open(person);
    const issue = chance.of(issues);
    const [epic, other] = [chance.of(epics), chance.of(epics)];
    const near = epics.filter((one) => model.fits(issue, one));
    const parents = epics.filter((one) => one !== other && model.nests(other, one));
    // Half of what is tried can be done by somebody.
    const home = near.length > 0 && chance.oneIn(2) ? chance.of(near) : epic;
    const parent = parents.length > 0 && chance.oneIn(2) ? chance.of(parents) : epic;
    return chance.of([
      () => this.update(person, epic),
      () => this.update(person, epic),
      () => this.nest(person, parent, other),
      () => this.nest(person, parent, other),
      () => this.nest(person, parent, other),
      () => this.moveChild(person, epic),
      () => this.free(person, epic),
      () => this.link(person, home, issue),
      () => this.link(person, home, issue),
      () => this.link(person, home, issue),
      () => this.moveIssueIn(person, epic),
      () => this.unlink(person, epic),
      () => this.change(person, issue, home),
      () => this.change(person, issue, home),
      () => (chance.oneIn(3) ? this.remove(person, epic) : this.open(person)),
    ])();
  }

  private async create(person: StagePerson): Promise<Done> {
    const { chance, model, stage } = this;
    const group = chance.of(stage.all);
    const fixed: FixedDates = {
      start_date_is_fixed: false,
      start_date_fixed: null,
      due_date_is_fixed: false,
      due_date_fixed: null,
      ...drawDates(chance),
    };
    const parent = model.epics.length > 0 && chance.oneIn(2) ? chance.of(model.epics) : null;
    const confidential = chance.oneIn(3);
    const body = { title: 'Epic', confidential, parent_id: parent?.id ?? null, ...fixed };
    const answer = await person.client.post<Numbered>(`/groups/${group.id}/epics`, body);
    const epic: ModelEpic = {
      ...answer.body,
      ...fixed,
      group,
      parent: null,
      confidential,
      state: 'opened',
      children: [],
      issues: [],
    };
    const isAllowed =
      stage.roleIn(person, group) >= REPORTER &&
      inOrder(fixed) &&
      (parent === null || (model.fills(person, parent) && model.nests(epic, parent)));
    if (answer.status === 201) {
      model.epics.push(Object.assign(epic, { id: answer.body.id, iid: answer.body.iid }));
      model.place(epic, parent);
    }
    return {
      what: `${person.name} creates an epic in ${group.name} ${JSON.stringify(body)}`,
      isAllowed,
      answer,
    };
  }

  private async update(person: StagePerson, epic: ModelEpic): Promise<Done> {
    const { chance, model, stage } = this;
    const dates = chance.oneIn(2) ? drawDates(chance) : {};
    const isNested = chance.oneIn(3);
    const parent = isNested && chance.oneIn(2) ? chance.of(model.epics) : null;
    const confidential = chance.oneIn(2) ? chance.oneIn(2) : undefined;
    const event = chance.of([undefined, 'close', 'reopen'] as const);
    const body = {
      title: 'Epic',
      ...dates,
      ...(confidential === undefined ? {} : { confidential }),
      ...(isNested ? { parent_id: chance.oneIn(2) && parent === null ? 0 : (parent?.id ?? null) } : {}),
      ...(event ? { state_event: event } : {}),
    };
    const answer = await person.client.put(at(epic), body);
    const after = { ...epic, confidential: confidential ?? epic.confidential };
    const isHidden = parent === null && epic.parent !== null && !model.seesEpic(person, epic.parent);
    const next = isNested && !isHidden ? parent : epic.parent;
    const isMoved = next !== epic.parent;
    const isSecretEnough =
      confidential === undefined ||
      (!after.confidential && !next?.confidential) ||
      (after.confidential &&
        epic.children.every((one) => one.confidential) &&
        epic.issues.every((one) => one.confidential));
    const isAllowed =
      model.seesEpic(person, epic) &&
      stage.roleIn(person, epic.group) >= REPORTER &&
      (!changes(epic, dates) || inOrder({ ...epic, ...dates })) &&
      (!isMoved || next === null || (model.fills(person, next) && this.nestsAs(epic, after, next))) &&
      isSecretEnough;
    if (answer.status === 200) {
      Object.assign(epic, dates, { confidential: after.confidential });
      if (event) epic.state = event === 'close' ? 'closed' : 'opened';
      model.place(epic, next);
    }
    return { what: `${person.name} updates epic ${epic.id} ${JSON.stringify(body)}`, isAllowed, answer };
  }

  /** Whether it fits below another with the confidentiality that it gets by the same request. */
  private nestsAs(epic: ModelEpic, after: ModelEpic, parent: ModelEpic): boolean {
    const before = epic.confidential;
    epic.confidential = after.confidential;
    const fits = this.model.nests(epic, parent);
    epic.confidential = before;
    return fits;
  }

  private async remove(person: StagePerson, epic: ModelEpic): Promise<Done> {
    const answer = await person.client.delete(at(epic));
    const isAllowed = this.stage.roleIn(person, epic.group) >= OWNER;
    if (answer.status === 204) this.model.remove(epic);
    return { what: `${person.name} removes epic ${epic.id}`, isAllowed, answer };
  }

  /** Whether a person may take a child out of an epic, put it in, or move it there. */
  private hangs(person: StagePerson, child: ModelEpic, parent: ModelEpic): boolean {
    const { model, stage } = this;
    const least = child.confidential ? REPORTER : GUEST;
    return (
      model.fills(person, parent) && model.fills(person, child) && stage.roleIn(person, parent.group) >= least
    );
  }

  private async nest(person: StagePerson, parent: ModelEpic, child: ModelEpic): Promise<Done> {
    const { model } = this;
    const answer = await person.client.post(`${at(parent)}/epics/${child.id}`);
    const isAllowed =
      child.parent !== parent && this.hangs(person, child, parent) && model.nests(child, parent);
    if (answer.status === 201) model.place(child, parent);
    return { what: `${person.name} puts epic ${child.id} below ${parent.id}`, isAllowed, answer };
  }

  private async free(person: StagePerson, child: ModelEpic): Promise<Done | null> {
    const { parent } = child;
    if (!parent) return null;
    const answer = await person.client.delete(`${at(parent)}/epics/${child.id}`);
    const isAllowed = this.hangs(person, child, parent);
    if (answer.status === 200) this.model.place(child, null);
    return { what: `${person.name} takes epic ${child.id} from below ${parent.id}`, isAllowed, answer };
  }

  private async moveChild(person: StagePerson, parent: ModelEpic): Promise<Done | null> {
    const { chance } = this;
    if (parent.children.length < 2) return null;
    const child = chance.of(parent.children);
    const [before, after] = [0, 1].map(() => (chance.oneIn(3) ? null : chance.of(parent.children))) as [
      ModelEpic | null,
      ModelEpic | null,
    ];
    const body = { move_before_id: before?.id ?? null, move_after_id: after?.id ?? null };
    const answer = await person.client.put(`${at(parent)}/epics/${child.id}`, body);
    const isAllowed = this.hangs(person, child, parent);
    if (answer.status === 200) reorder(parent.children, child, before, after);
    return { what: `${person.name} moves epic ${child.id} ${JSON.stringify(body)}`, isAllowed, answer };
  }

  private async link(person: StagePerson, epic: ModelEpic, issue: ModelIssue): Promise<Done> {
    const { model } = this;
    const answer = await person.client.post<Numbered>(`${at(epic)}/issues/${issue.id}`);
    const isAllowed =
      issue.epic !== epic &&
      model.fills(person, epic) &&
      model.plans(person, issue) &&
      model.fits(issue, epic);
    if (answer.status === 201) {
      // An association moves with its issue from epic to epic.
      const isKept = issue.epic === null || issue.linkId === answer.body.id;
      model.assign(issue, epic);
      issue.linkId = isKept ? answer.body.id : -1;
    }
    return { what: `${person.name} links issue ${issue.id} to ${epic.id}`, isAllowed, answer };
  }

  private async unlink(person: StagePerson, epic: ModelEpic): Promise<Done | null> {
    if (epic.issues.length === 0) return null;
    const issue = this.chance.of(epic.issues);
    const answer = await person.client.delete(`${at(epic)}/issues/${issue.linkId}`);
    const isAllowed = this.model.fills(person, epic) && this.model.plans(person, issue);
    if (answer.status === 200) this.model.assign(issue, null);
    return { what: `${person.name} unlinks issue ${issue.id} from ${epic.id}`, isAllowed, answer };
  }

  private async moveIssueIn(person: StagePerson, epic: ModelEpic): Promise<Done | null> {
    const { chance, model } = this;
    if (epic.issues.length < 2) return null;
    const issue = chance.of(epic.issues);
    const [before, after] = [0, 1].map(() => (chance.oneIn(3) ? null : chance.of(epic.issues))) as [
      ModelIssue | null,
      ModelIssue | null,
    ];
    const body = { move_before_id: before?.linkId ?? null, move_after_id: after?.linkId ?? null };
    const answer = await person.client.put(`${at(epic)}/issues/${issue.linkId}`, body);
    const isAllowed = model.fills(person, epic) && model.plans(person, issue);
    if (answer.status === 200) reorder(epic.issues, issue, before, after);
    return { what: `${person.name} moves issue ${issue.id} ${JSON.stringify(body)}`, isAllowed, answer };
  }

  private async open(person: StagePerson): Promise<Done> {
    const { chance, stage, model } = this;
    const project = chance.of(stage.projects);
    const isAuthor = stage.roleInProject(person, project) >= GUEST;
    const confidential = chance.oneIn(2);
    const author = isAuthor ? person.client : stage.api.root;
    const issue = await buildIssue(author, project.id, { confidential });
    model.issues.push({
      id: issue.id,
      iid: issue.iid,
      project,
      confidential,
      author: isAuthor ? person : null,
      epic: null,
      linkId: 0,
      milestone: null,
    });
    const answer = await author.get(`/projects/${project.id}/issues/${issue.iid}`);
    return { what: `an issue ${issue.id}`, isAllowed: true, answer };
  }

  /** A Reporter of the project gives it another epic or another confidentiality. */
  private async change(person: StagePerson, issue: ModelIssue, epic: ModelEpic): Promise<Done | null> {
    const { chance, model, stage } = this;
    if (stage.roleInProject(person, issue.project) < REPORTER) return null;
    const to = chance.of([undefined, null, epic, epic]);
    const confidential = chance.oneIn(2) ? chance.oneIn(2) : undefined;
    const body = {
      title: 'Issue',
      ...(to === undefined ? {} : { epic_id: to?.id ?? chance.of([0, null]) }),
      ...(confidential === undefined ? {} : { confidential }),
    };
    const answer = await person.client.put<{ epic_iid: number | null }>(
      `/projects/${issue.project.id}/issues/${issue.iid}`,
      body,
    );
    const isHidden = to === null && issue.epic !== null && !model.seesEpic(person, issue.epic);
    const next = to === undefined || isHidden ? issue.epic : to;
    const after = { ...issue, confidential: confidential ?? issue.confidential };
    const isAllowed =
      (next === issue.epic || next === null || model.fills(person, next)) &&
      (next === null || model.fits(after, next));
    if (answer.status === 200) {
      issue.confidential = after.confidential;
      if (next && next !== issue.epic) await this.learnLink(issue, next);
      model.assign(issue, next);
    }
    return { what: `${person.name} changes issue ${issue.id} ${JSON.stringify(body)}`, isAllowed, answer };
  }

  private async learnLink(issue: ModelIssue, epic: ModelEpic): Promise<void> {
    const { body } = await this.stage.api.root.get<{ id: number; epic_issue_id: number }[]>(
      `${at(epic)}/issues?per_page=100`,
    );
    issue.linkId = body.find(({ id }) => id === issue.id)?.epic_issue_id ?? -1;
  }
}
