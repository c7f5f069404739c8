import {
  chainOf,
  GUEST,
  REPORTER,
  type EpicStage,
  type StageGroup,
  type StagePerson,
  type StageProject,
} from './epic-stage.js';

/** Fixed dates of an epic. */
export interface FixedDates {
  start_date_is_fixed: boolean;
  start_date_fixed: string | null;
  due_date_is_fixed: boolean;
  due_date_fixed: string | null;
}

/** An epic in the model. */
export interface ModelEpic extends FixedDates {
  readonly id: number;
  readonly iid: number;
  readonly group: StageGroup;
  parent: ModelEpic | null;
  confidential: boolean;
  state: 'opened' | 'closed';
  /** In the order of the lists. */
  children: ModelEpic[];
  issues: ModelIssue[];
}

/** An issue in the model. */
export interface ModelIssue {
  id: number;
  iid: number;
  project: StageProject;
  confidential: boolean;
  readonly author: StagePerson | null;
  epic: ModelEpic | null;
  linkId: number;
  milestone: { readonly start: string | null; readonly due: string | null } | null;
}

const MOST_DEEP = 7;

/** What is true of epics and their issues, and who may see and do what (`planning.md` 3). */
export class EpicModel {
  epics: ModelEpic[] = [];
  issues: ModelIssue[] = [];

  constructor(readonly stage: EpicStage) {}

  seesGroup(person: StagePerson, group: StageGroup): boolean {
    return this.stage.isOpen(person, group.visibility) || this.stage.roleIn(person, group) >= GUEST;
  }

  seesEpic(person: StagePerson, { group, confidential }: ModelEpic): boolean {
    return confidential ? this.stage.roleIn(person, group) >= REPORTER : this.seesGroup(person, group);
  }

  seesIssue(person: StagePerson, { project, confidential, author }: ModelIssue): boolean {
    const role = this.stage.roleInProject(person, project);
    const isIn = role >= GUEST || this.stage.isOpen(person, project.visibility);
    return isIn && (!confidential || role >= REPORTER || author === person);
  }

  /** Whether a person may put things into an epic, or take them out. */
  fills(person: StagePerson, epic: ModelEpic): boolean {
    return (
      this.seesEpic(person, epic) &&
      this.stage.roleIn(person, epic.group) >= (epic.confidential ? REPORTER : GUEST)
    );
  }

  /** Whether a person may put an issue into an epic, or take it out. */
  plans(person: StagePerson, issue: ModelIssue): boolean {
    const role = this.stage.roleInProject(person, issue.project);
    return this.seesIssue(person, issue) && role >= (issue.confidential ? REPORTER : GUEST);
  }

  /** Whether an issue may be in an epic at all. */
  fits({ project, confidential }: ModelIssue, epic: ModelEpic): boolean {
    return chainOf(project.group).includes(epic.group) && (confidential || !epic.confidential);
  }

  /** Whether an epic may become a child of another. */
  nests(child: ModelEpic, parent: ModelEpic): boolean {
    const above = this.above(parent);
    return (
      chainOf(child.group).includes(parent.group) &&
      !above.includes(child) &&
      (child.confidential || !parent.confidential) &&
      above.length + this.height(child) <= MOST_DEEP
    );
  }

  private above(epic: ModelEpic): ModelEpic[] {
    return epic.parent === null ? [epic] : [epic, ...this.above(epic.parent)];
  }

  private height(epic: ModelEpic): number {
    return 1 + Math.max(0, ...epic.children.map((child) => this.height(child)));
  }

  /** Puts an epic on top of the children of another, or nowhere. */
  place(child: ModelEpic, parent: ModelEpic | null): void {
    if (child.parent === parent) return;
    if (child.parent) child.parent.children = child.parent.children.filter((one) => one !== child);
    child.parent = parent;
    parent?.children.unshift(child);
  }

  /** Puts an issue on top of an epic, or into none. */
  assign(issue: ModelIssue, epic: ModelEpic | null): void {
    if (issue.epic === epic) return;
    if (issue.epic) issue.epic.issues = issue.epic.issues.filter((one) => one !== issue);
    issue.epic = epic;
    epic?.issues.unshift(issue);
  }

  remove(epic: ModelEpic): void {
    this.place(epic, null);
    for (const child of [...epic.children]) this.place(child, null);
    for (const issue of [...epic.issues]) this.assign(issue, null);
    this.epics = this.epics.filter((one) => one !== epic);
  }

  /** After something has moved: what no longer belongs to the group of its epic, or below it, leaves it. */
  part(): void {
    for (const issue of this.issues)
      if (issue.epic && !chainOf(issue.project.group).includes(issue.epic.group)) this.assign(issue, null);
    for (const epic of this.epics)
      if (epic.parent && !chainOf(epic.group).includes(epic.parent.group)) this.place(epic, null);
  }

  /** The dates that an epic shows. */
  datesOf(epic: ModelEpic): { start: string | null; due: string | null } {
    const inherited = this.inherited(epic);
    return {
      start: epic.start_date_is_fixed ? epic.start_date_fixed : inherited.start,
      due: epic.due_date_is_fixed ? epic.due_date_fixed : inherited.due,
    };
  }

  /** The earliest start and the latest end of the milestones of its issues, and of its children. */
  inherited(epic: ModelEpic): { start: string | null; due: string | null } {
    const from = [
      ...epic.issues.map(({ milestone }) => milestone),
      ...epic.children.map((child) => this.datesOf(child)),
    ];
    const starts = from.flatMap((one) => one?.start ?? []).sort();
    const dues = from.flatMap((one) => one?.due ?? []).sort();
    return { start: starts[0] ?? null, due: dues.at(-1) ?? null };
  }
}

/** Moves one item of a list right behind one item, right before another, or behind the first of both. */
export function reorder<T>(list: T[], item: T, before: T | null, after: T | null): void {
  const ends = [...new Set([before, after])].filter((one) => one !== null && one !== item) as T[];
  ends.sort((a, b) => list.indexOf(a) - list.indexOf(b));
  const [first, second] = ends;
  if (first === undefined) return;
  const at = list.indexOf(item);
  if (second !== undefined && at > list.indexOf(first) && at < list.indexOf(second)) return;
  const isBefore = second === undefined && first !== before;
  list.splice(at, 1);
  list.splice(list.indexOf(first) + (isBefore ? 0 : 1), 0, item);
}
