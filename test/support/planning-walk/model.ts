import type { Facts, Kind, MilestoneFacts, ThingFacts, Viewer } from './facts.js';
import { Sight } from './sight.js';

/** The parameters of a list, as sent; `not[labels]` is the name of a negated one. */
export type Filters = Readonly<Record<string, string>>;

/** Where a list is: everywhere, or in one group, project or milestone of one. */
export type Place =
  | { readonly in: 'everywhere' }
  | { readonly in: 'group' | 'project'; readonly id: number; readonly milestone?: number };

type Rule = (thing: ThingFacts, value: string, filters: Filters) => boolean;

const listOf = (value: string): string[] => value.split(',').filter((one) => one !== '');
const idsOf = (people: readonly { readonly id: number }[] = []): number[] => people.map(({ id }) => id);
const today = (): string => new Date().toISOString().slice(0, 10);

/** `Any`, `None`, or what the value itself means. */
function anyNone(value: string, has: boolean, own: () => boolean): boolean {
  if (value.toLowerCase() === 'any') return has;
  return value.toLowerCase() === 'none' ? !has : own();
}

/** What lists contain, by `planning.md` 3.1 and 5.1 to 5.4 in plain words. */
export class ListModel {
  readonly sight: Sight;

  constructor(
    private readonly facts: Facts,
    private readonly viewer: Viewer | null,
    private readonly names: ReadonlyMap<string, number>,
  ) {
    this.sight = new Sight(facts, viewer);
  }

  /** Ids of what the list contains, in its order. */
  list(kind: Kind, place: Place, filters: Filters): number[] {
    const { iids, ...others } = filters;
    // Merge requests have the filter in lists of projects only.
    const kept =
      iids === undefined || (kind === 'merge_request' && place.in !== 'project') ? others : filters;
    const found = this.facts.things[kind].filter(
      (one) => this.sight.sees(kind, one) && this.isIn(kind, place, one, filters) && this.fits(one, kept),
    );
    return this.sorted(found, filters).map(({ id }) => id);
  }

  /** How many there are of a kind. */
  count(kind: Kind, rule: (thing: ThingFacts) => boolean): number {
    return this.facts.things[kind].filter((one) => this.sight.sees(kind, one) && rule(one)).length;
  }

  private isIn(kind: Kind, place: Place, thing: ThingFacts, filters: Filters): boolean {
    const { project_id: project = 0, group_id: group = 0 } = thing;
    if (kind === 'epic') return place.in === 'group' && this.isEpicIn(place.id, group, filters);
    const { archived, namespace } = this.sight.project(project);
    if (place.in !== 'everywhere' && place.milestone !== undefined && thing.milestone?.id !== place.milestone)
      return false;
    if (place.in === 'project') return project === place.id;
    if (archived && filters['non_archived'] !== 'false') return false;
    if (place.in === 'everywhere') return true;
    return namespace.kind === 'group' && this.sight.above(namespace.id).includes(place.id);
  }

  private isEpicIn(place: number, group: number, filters: Filters): boolean {
    if (group === place) return true;
    if (this.sight.above(group).includes(place)) return filters['include_descendant_groups'] !== 'false';
    return this.sight.above(place).includes(group) && filters['include_ancestor_groups'] === 'true';
  }

  private fits(thing: ThingFacts, filters: Filters): boolean {
    return Object.entries(filters).every(([name, value]) => {
      const negated = /^not\[(\w+)\]$/.exec(name)?.[1];
      if (negated === undefined) return this.rules[name]?.(thing, value, filters) ?? true;
      return (this.negations[negated] ?? this.rules[negated])?.(thing, value, filters) === false;
    });
  }

  private idOf(name: string): number {
    return this.names.get(name.toLowerCase()) ?? -1;
  }

  private readonly mine = (thing: ThingFacts): readonly string[] =>
    thing.emoji.get(this.viewer?.id ?? 0) ?? [];

  /** An epic that the viewer may not read is none. */
  private epicOf({ epic }: ThingFacts): number | null {
    const found = this.facts.things.epic.find(({ id }) => id === epic?.id);
    return found && this.sight.sees('epic', found) ? found.id : null;
  }

  private readonly rules: Readonly<Record<string, Rule>> = {
    state: (thing, value) => value === 'all' || thing.state === value,
    scope: (thing, value) => this.isOfScope(thing, value.replaceAll('-', '_')),
    labels: ({ labels }, value) =>
      anyNone(value, labels.length > 0, () => listOf(value).every((one) => labels.includes(one))),
    milestone: ({ milestone }, value) => anyNone(value, !!milestone, () => milestone?.title === value),
    milestone_id: ({ milestone }, value) =>
      anyNone(value, !!milestone, () => !!milestone && this.isTimely(milestone.id, value.toLowerCase())),
    iids: ({ iid }, value) => listOf(value).includes(String(iid)),
    search: ({ title, description }, value, { in: places = 'title,description' }) =>
      [places.includes('title') ? title : '', places.includes('description') ? (description ?? '') : ''].some(
        (text) => text.toLowerCase().includes(value.toLowerCase()),
      ),
    author_id: ({ author }, value) => author.id === Number(value),
    author_username: ({ author }, value) => author.id === this.idOf(value),
    assignee_id: ({ assignees = [] }, value) =>
      anyNone(value === '0' ? 'None' : value, assignees.length > 0, () =>
        idsOf(assignees).includes(Number(value)),
      ),
    assignee_username: ({ assignees }, value) =>
      listOf(value).every((one) => idsOf(assignees).includes(this.idOf(one))),
    reviewer_id: ({ reviewers = [] }, value) =>
      anyNone(value, reviewers.length > 0, () => idsOf(reviewers).includes(Number(value))),
    reviewer_username: ({ reviewers }, value) => idsOf(reviewers).includes(this.idOf(value)),
    my_reaction_emoji: (thing, value) =>
      anyNone(value, this.mine(thing).length > 0, () => this.mine(thing).includes(value)),
    created_after: (thing, value) => thing.created_at >= value,
    created_before: (thing, value) => thing.created_at <= value,
    updated_after: (thing, value) => thing.updated_at >= value,
    updated_before: (thing, value) => thing.updated_at <= value,
    confidential: ({ confidential = false }, value) => String(confidential) === value,
    issue_type: (thing, value) => thing.issue_type === value,
    due_date: ({ due_date: due = null }, value) => isDue(due, value),
    weight: ({ weight = null }, value) => anyNone(value, weight !== null, () => weight === Number(value)),
    health_status: ({ health_status: health = null }, value) =>
      anyNone(value, health !== null, () => health === value),
    epic_id: (thing, value) =>
      anyNone(value, this.epicOf(thing) !== null, () => this.epicOf(thing) === Number(value)),
    wip: ({ draft = false }, value) => draft === (value === 'yes'),
    approved: ({ approvedBy }, value) => approvedBy.length > 0 === (value === 'yes'),
    approved_by_ids: ({ approvedBy }, value) =>
      anyNone(value, approvedBy.length > 0, () =>
        listOf(value).every((one) => approvedBy.includes(Number(one))),
      ),
    approved_by_usernames: ({ approvedBy }, value) =>
      anyNone(value, approvedBy.length > 0, () =>
        listOf(value).every((one) => approvedBy.includes(this.idOf(one))),
      ),
    approver_ids: ({ approvers }, value) =>
      anyNone(value, approvers.length > 0, () =>
        listOf(value).every((one) => approvers.includes(Number(one))),
      ),
    source_branch: (thing, value) => thing.source_branch === value,
    target_branch: (thing, value) => thing.target_branch === value,
    source_project_id: (thing, value) => thing.source_project_id === Number(value),
    environment: ({ project_id: project = 0, environments }, value) =>
      environments.includes(value) && this.sight.reads(project, 'merge_request'),
    deployed_after: ({ environments }, value) => environments.length > 0 && value < today(),
  };

  /** Negations of lists exclude those with any of the values; they have no words. */
  private readonly negations: Readonly<Record<string, Rule>> = {
    milestone: ({ milestone }, value) => milestone?.title === value,
    labels: ({ labels }, value) => listOf(value).some((one) => labels.includes(one)),
    assignee_username: ({ assignees }, value) =>
      listOf(value).some((one) => idsOf(assignees).includes(this.idOf(one))),
  };

  private isOfScope({ author, assignees, reviewers }: ThingFacts, scope: string): boolean {
    const me = this.viewer?.id ?? 0;
    if (scope === 'created_by_me') return author.id === me;
    if (scope === 'assigned_to_me') return idsOf(assignees).includes(me);
    return scope === 'all' || idsOf(reviewers).includes(me);
  }

  /** Upcoming is the next to end of those of its project or group, started what has begun; closed ones are neither. */
  private isTimely(id: number, word: string): boolean {
    const of = (one: MilestoneFacts): string => `${one.project_id ?? ''} ${one.group_id ?? ''}`;
    const milestone = this.facts.milestones.find((one) => one.id === id);
    if (!milestone || milestone.state !== 'active') return false;
    if (word === 'started') return milestone.start_date !== null && milestone.start_date <= today();
    const ends = this.facts.milestones
      .filter((one) => one.state === 'active' && of(one) === of(milestone))
      .flatMap(({ due_date: due }) => (due !== null && due > today() ? [due] : []));
    return milestone.due_date === ends.sort()[0];
  }

  private sorted(
    things: readonly ThingFacts[],
    { order_by: by = 'created_at', sort = 'desc' }: Filters,
  ): ThingFacts[] {
    const sign = sort === 'desc' ? -1 : 1;
    const keys = (thing: ThingFacts): readonly (string | number | null)[] => this.keysOf(thing, by);
    return [...things].sort((one, other) => {
      const others = keys(other);
      for (const [at, key] of keys(one).entries()) {
        const than = others[at] ?? null;
        if (key === than) continue;
        if (key === null || than === null) return key === null ? 1 : -1;
        return (key < than ? -1 : 1) * sign;
      }
      return (one.id - other.id) * sign;
    });
  }

  private keysOf(thing: ThingFacts, by: string): readonly (string | number | null)[] {
    const due = this.facts.milestones.find(({ id }) => id === thing.milestone?.id)?.due_date ?? null;
    const known = this.facts.projects.get(thing.project_id ?? 0)?.priorities;
    const all = thing.labels.flatMap((name) => known?.get(name) ?? []);
    const priority = all.length > 0 ? Math.min(...all) : null;
    const keys: Readonly<Record<string, readonly (string | number | null)[]>> = {
      label_priority: [priority],
      milestone_due: [due],
      priority: [due, priority],
      popularity: [thing.upvotes],
      title: [thing.title],
      due_date: [thing.due_date ?? null],
      weight: [thing.weight ?? null],
      merged_at: [thing.merged_at ?? null],
      updated_at: [thing.updated_at],
      id: [],
    };
    return keys[by] ?? [thing.created_at];
  }
}

function isDue(due: string | null, word: string): boolean {
  if (word === '0') return due === null;
  if (due === null) return false;
  if (word === 'overdue') return due < today();
  return word === 'any' || due === today();
}
