import type { Answer } from '../client.js';
import { chainOf, REPORTER, type EpicStage, type StageGroup, type StagePerson } from './epic-stage.js';
import type { EpicModel, ModelEpic } from './epic-model.js';

type Shown = Readonly<Record<string, unknown>> & { readonly id: number };

/** A view that differs from the model. */
export interface Difference {
  readonly what: string;
  readonly found: unknown;
  readonly expected: unknown;
}

/** Compares what people see of epics with the model. */
export class EpicViews {
  constructor(
    private readonly stage: EpicStage,
    private readonly model: EpicModel,
  ) {}

  /** All that a person sees; the differences. */
  async differences(person: StagePerson): Promise<Difference[]> {
    const pairs: Difference[] = [];
    const hold = (what: string, found: unknown, expected: unknown): void => {
      if (JSON.stringify(found) !== JSON.stringify(expected))
        pairs.push({ what: `${person.name}: ${what}`, found, expected });
    };
    for (const group of this.stage.all) await this.list(person, group, hold);
    for (const epic of this.model.epics) await this.one(person, epic, hold);
    for (const issue of this.model.issues) {
      if (!this.model.seesIssue(person, issue)) continue;
      const { body } = await person.client.get<{ epic: Shown | null; epic_iid: number | null }>(
        `/projects/${issue.project.id}/issues/${issue.iid}`,
      );
      const epic = issue.epic && this.model.seesEpic(person, issue.epic) ? issue.epic : null;
      hold(
        `the epic of issue ${issue.id}`,
        [body.epic?.id ?? null, body.epic_iid],
        [epic?.id ?? null, epic?.iid ?? null],
      );
    }
    return pairs;
  }

  private async list(
    person: StagePerson,
    group: StageGroup,
    hold: (...of: [string, unknown, unknown]) => void,
  ): Promise<void> {
    const { model } = this;
    const isSeen = model.seesGroup(person, group);
    for (const [above, below] of [
      [false, true],
      [true, true],
      [true, false],
      [false, false],
    ]) {
      const query = `include_ancestor_groups=${above}&include_descendant_groups=${below}`;
      const answer = await person.client.get<Shown[]>(
        `/groups/${group.id}/epics?per_page=100&order_by=id&sort=asc&${query}`,
      );
      const own = model.epics.filter(
        (epic) =>
          (epic.group === group ||
            (above && chainOf(group).includes(epic.group)) ||
            (below && chainOf(epic.group).includes(group))) &&
          model.seesEpic(person, epic),
      );
      const ids = own.map(({ id }) => id).sort((a, b) => a - b);
      hold(`epics of ${group.name} ${query}`, isSeen ? idsOf(answer) : answer.status, isSeen ? ids : 404);
      if (isSeen) hold(`total of ${group.name} ${query}`, answer.headers.get('x-total'), String(ids.length));
      if (!isSeen || !above || !below) continue;
      for (const shown of answer.body) {
        const epic = own.find(({ id }) => id === shown.id);
        if (epic) this.record(person, epic, shown, hold);
      }
    }
  }

  private record(
    person: StagePerson,
    epic: ModelEpic,
    shown: Shown,
    hold: (...of: [string, unknown, unknown]) => void,
  ): void {
    const { start, due } = this.model.datesOf(epic);
    const parent = epic.parent && this.model.seesEpic(person, epic.parent) ? epic.parent : null;
    hold(
      `epic ${epic.id}`,
      [
        shown['start_date'],
        shown['due_date'],
        shown['end_date'],
        shown['state'],
        shown['confidential'],
        shown['parent_id'],
      ],
      [start, due, due, epic.state, epic.confidential, parent?.id ?? null],
    );
  }

  private async one(
    person: StagePerson,
    epic: ModelEpic,
    hold: (...of: [string, unknown, unknown]) => void,
  ): Promise<void> {
    const { model, stage } = this;
    const path = `/groups/${epic.group.id}/epics/${epic.iid}`;
    const answer = await person.client.get<Shown>(path);
    const isSeen = model.seesEpic(person, epic);
    hold(`epic ${epic.id}`, answer.status, isSeen ? 200 : 404);
    const children = await person.client.get<Shown[]>(`${path}/epics?per_page=100`);
    const issues = await person.client.get<Shown[]>(`${path}/issues?per_page=100`);
    if (!isSeen) {
      hold(`inside of epic ${epic.id}`, [children.status, issues.status], [404, 404]);
      return;
    }
    this.record(person, epic, answer.body, hold);
    const { start, due } = model.inherited(epic);
    const isEditor = stage.roleIn(person, epic.group) >= REPORTER;
    hold(
      `inherited dates of ${epic.id}`,
      [answer.body['start_date_from_inherited_source'], answer.body['due_date_from_milestones']],
      isEditor ? [start, due] : [undefined, undefined],
    );
    const seen = epic.children.filter((child) => model.seesEpic(person, child));
    hold(
      `children of epic ${epic.id}`,
      idsOf(children),
      seen.map(({ id }) => id),
    );
    const own = epic.issues.filter((issue) => model.seesIssue(person, issue));
    hold(
      `issues of epic ${epic.id}`,
      idsOf(issues),
      own.map(({ id }) => id),
    );
    hold(
      `associations of epic ${epic.id}`,
      Array.isArray(issues.body) ? issues.body.map((row) => row['epic_issue_id']) : issues.status,
      own.map(({ linkId }) => linkId),
    );
    hold(`total of epic ${epic.id}`, issues.headers.get('x-total'), String(own.length));
  }
}

const idsOf = ({ body, status }: Answer<Shown[]>): unknown =>
  Array.isArray(body) ? body.map(({ id }) => id) : status;
