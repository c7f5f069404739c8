import type { Kind, ThingFacts } from './facts.js';
import { ListModel } from './model.js';
import type { Asker, PlanningStage } from './stage.js';

/** What some askers found, and what the model says, by asker and path. */
export interface Compared {
  readonly found: Record<string, unknown>;
  readonly expected: Record<string, unknown>;
}

interface CountedLabel {
  readonly id: number;
  readonly open_issues_count: number;
  readonly closed_issues_count: number;
  readonly open_merge_requests_count: number;
}

/** Compares counts of open work, and those of labels. */
export async function compareCounts(stage: PlanningStage, askers: readonly Asker[]): Promise<Compared> {
  const compared: Compared = { found: {}, expected: {} };
  for (const asker of askers) {
    if (asker !== 'anonymous') await compareWork(stage, asker, compared);
    for (const id of stage.facts.projects.keys()) await compareLabels(stage, asker, 'project', id, compared);
    for (const id of stage.facts.groups.keys()) await compareLabels(stage, asker, 'group', id, compared);
  }
  return compared;
}

const modelOf = (stage: PlanningStage, asker: Asker): ListModel =>
  new ListModel(stage.facts, stage.viewer(asker), stage.names());

async function compareWork(stage: PlanningStage, asker: Asker, { found, expected }: Compared): Promise<void> {
  const model = modelOf(stage, asker);
  const me = stage.viewer(asker)?.id;
  const count = (kind: Kind, of: 'assignees' | 'reviewers'): number =>
    model.count(
      kind,
      ({ state, project_id: project = 0, [of]: people = [] }) =>
        state === 'opened' && !model.sight.project(project).archived && people.some(({ id }) => id === me),
    );
  found[`${asker} work`] = (await stage.client(asker).get('/user_counts')).body;
  expected[`${asker} work`] = {
    todos: 0,
    assigned_issues: count('issue', 'assignees'),
    merge_requests: count('merge_request', 'assignees'),
    assigned_merge_requests: count('merge_request', 'assignees'),
    review_requested_merge_requests: count('merge_request', 'reviewers'),
  };
}

async function compareLabels(
  stage: PlanningStage,
  asker: Asker,
  of: 'project' | 'group',
  place: number,
  { found, expected }: Compared,
): Promise<void> {
  const model = modelOf(stage, asker);
  const { sight } = model;
  const isShown =
    of === 'group'
      ? sight.seesGroup(place)
      : sight.reads(place, 'issue') || sight.reads(place, 'merge_request');
  if (!isShown) return;
  const isIn = ({ project_id: project = 0 }: ThingFacts): boolean => {
    if (of === 'project') return project === place;
    const { namespace } = sight.project(project);
    return namespace.kind === 'group' && sight.above(namespace.id).includes(place);
  };
  const path = `/${of}s/${place}/labels?with_counts=true&per_page=100`;
  const { body } = await stage.client(asker).get<CountedLabel[]>(path);
  for (const { id, open_issues_count: open, closed_issues_count: closed, ...label } of body) {
    const count = (kind: Kind, state: string): number =>
      model.count(kind, (one) => one.state === state && isIn(one) && one.labelIds.includes(id));
    found[`${asker} ${path} ${id}`] = [open, closed, label.open_merge_requests_count];
    expected[`${asker} ${path} ${id}`] = [
      count('issue', 'opened'),
      count('issue', 'closed'),
      count('merge_request', 'opened'),
    ];
  }
}
