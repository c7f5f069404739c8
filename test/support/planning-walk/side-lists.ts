import type { Compared } from './counts.js';
import type { Facts } from './facts.js';
import { ListModel } from './model.js';
import type { Asker, PlanningStage } from './stage.js';

interface Label {
  readonly id: number;
  readonly name: string;
}

/** Labels and milestones by their own place, such as `groups/3`. */
type ByPlace = ReadonlyMap<string, readonly Label[]>;

async function labelsOf({ api, facts }: PlanningStage): Promise<ByPlace> {
  const places = [
    ...[...facts.groups.keys()].map((id) => `groups/${id}`),
    ...[...facts.projects.keys()].map((id) => `projects/${id}`),
  ];
  const rows = await Promise.all(
    places.map(async (place) => {
      const { body } = await api.root.get<Label[]>(
        `/${place}/labels?include_ancestor_groups=false&per_page=100`,
      );
      return [place, body] as const;
    }),
  );
  return new Map(rows);
}

const sortedIds = (all: readonly { readonly id: number }[]): number[] =>
  all.map(({ id }) => id).sort((a, b) => a - b);

/** Compares lists of labels, milestones and issues of epics. */
export async function compareSideLists(stage: PlanningStage, askers: readonly Asker[]): Promise<Compared> {
  const labels = await labelsOf(stage);
  const found: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const asker of askers) {
    const model = new ListModel(stage.facts, stage.viewer(asker), stage.names());
    const { sight } = model;
    const client = stage.client(asker);
    const ask = async (path: string, ids: readonly number[]): Promise<void> => {
      const { status, body, headers } = await client.get<{ id: number }[]>(`${path}&per_page=100`);
      found[`${asker} ${path}`] = status === 200 ? [headers.get('x-total'), sortedIds(body)] : status;
      expected[`${asker} ${path}`] = [String(ids.length), [...ids].sort((a, b) => a - b)];
    };
    for (const [id, project] of stage.facts.projects) {
      if (!sight.reads(id, 'issue') && !sight.reads(id, 'merge_request')) continue;
      const above = project.namespace.kind === 'group' ? sight.above(project.namespace.id) : [];
      const own = labels.get(`projects/${id}`) ?? [];
      const all = [...own, ...above.flatMap((one) => labels.get(`groups/${one}`) ?? [])];
      await ask(`/projects/${id}/labels?with_counts=${stage.rarely(2)}`, sortedIds(all));
      await ask(`/projects/${id}/labels?search=U`, sortedIds(all.filter(({ name }) => name.includes('u'))));
      await askMilestones(ask, stage, 'project', id, above);
    }
    for (const id of stage.facts.groups.keys()) {
      if (!sight.seesGroup(id)) continue;
      const below = [...stage.facts.groups.keys()].filter(
        (one) => one !== id && sight.above(one).includes(id) && sight.seesGroup(one),
      );
      const inside = [...stage.facts.projects].filter(
        ([one, { namespace }]) =>
          namespace.kind === 'group' &&
          sight.above(namespace.id).includes(id) &&
          (sight.reads(one, 'issue') || sight.reads(one, 'merge_request') || sight.knowsLabels(one)),
      );
      const of = (place: string): readonly Label[] => labels.get(place) ?? [];
      const withAncestors = stage.rarely(2);
      const withDescendants = stage.rarely(2);
      const onlyGroups = stage.rarely(2);
      const all = [
        ...of(`groups/${id}`),
        ...(withAncestors
          ? sight
              .above(id)
              .slice(1)
              .flatMap((one) => of(`groups/${one}`))
          : []),
        ...(withDescendants ? below.flatMap((one) => of(`groups/${one}`)) : []),
        ...(onlyGroups
          ? []
          : inside
              .filter(([, { namespace }]) => withDescendants || namespace.id === id)
              .flatMap(([one]) => of(`projects/${one}`))),
      ];
      await ask(
        `/groups/${id}/labels?include_ancestor_groups=${withAncestors}&include_descendant_groups=${withDescendants}&only_group_labels=${onlyGroups}`,
        sortedIds(all),
      );
      await askMilestones(ask, stage, 'group', id, sight.above(id).slice(1));
    }
    for (const epic of stage.facts.things.epic) {
      if (!sight.sees('epic', epic) || asker === 'anonymous') continue;
      const issues = stage.facts.things.issue.filter(
        (one) => one.epic?.id === epic.id && sight.sees('issue', one),
      );
      await ask(`/groups/${epic.group_id}/epics/${epic.iid}/issues?`, sortedIds(issues));
    }
  }
  return { found, expected };
}

type Ask = (path: string, ids: readonly number[]) => Promise<void>;

async function askMilestones(
  ask: Ask,
  stage: PlanningStage,
  kind: 'project' | 'group',
  id: number,
  above: readonly number[],
): Promise<void> {
  const { milestones }: Facts = stage.facts;
  const withParents = stage.rarely(2);
  const all = milestones.filter(
    (one) =>
      (kind === 'project' ? one.project_id === id : one.group_id === id) ||
      (withParents && above.includes(one.group_id ?? 0)),
  );
  const state = stage.one(['active', 'closed', 'all'] as const);
  const search = stage.one(['', 'N', 'now']);
  const title = stage.one(['now', 'shut']);
  const base = `/${kind}s/${id}/milestones?${withParents ? 'include_parent_milestones=true&' : ''}`;
  await ask(
    `${base}state=${state}&search=${search}`,
    sortedIds(
      all.filter(
        (one) => (state === 'all' || one.state === state) && one.title.includes(search.toLowerCase()),
      ),
    ),
  );
  await ask(`${base}title=${title}`, sortedIds(all.filter((one) => one.title === title)));
  await ask(`${base}iids[]=1&iids[]=2`, sortedIds(all.filter(({ iid }) => withParents || iid <= 2)));
}
