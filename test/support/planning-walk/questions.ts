import fc from 'fast-check';
import type { Kind } from './facts.js';
import type { Filters, Place } from './model.js';
import { BRANCHES, EMOJI, TITLES, type Asker, type PlanningStage } from './stage.js';

/** A filter whose value is made from two numbers and the world. */
interface Filter {
  readonly name: string;
  readonly of: readonly Kind[] | 'all';
  readonly value: (stage: PlanningStage, one: number, other: number) => string;
  readonly negated?: boolean;
  /** Two of a family exclude each other. */
  readonly family?: string;
}

const ISSUES = ['issue'] as const;
const REQUESTS = ['merge_request'] as const;
const BOTH = ['issue', 'merge_request'] as const;
const among = <T>(all: readonly T[], one: number): T => all[one % all.length] as T;
const any = (values: readonly string[]) => (_: PlanningStage, one: number) => among(values, one);
const person = ({ people }: PlanningStage, one: number): string =>
  String(one === 9 ? 1 : among(people, one).id);
const username = ({ people }: PlanningStage, one: number): string =>
  one === 8 ? 'nobody-of-that-name' : one === 9 ? 'ROOT' : among(people, one).username;
const orWord =
  (value: Filter['value'], words = ['Any', 'None']): Filter['value'] =>
  (stage, one, other) =>
    other < words.length ? (words[other] ?? '') : value(stage, one, other);
const two =
  (value: Filter['value']): Filter['value'] =>
  (stage, one, other) =>
    one === other || other % 3 > 0
      ? value(stage, one, other)
      : `${value(stage, one, other)},${value(stage, other, one)}`;
const time =
  (name: 'created_at' | 'updated_at'): Filter['value'] =>
  ({ facts: { things } }, one, other) =>
    among([...things.issue, ...things.merge_request], one * 7 + other)[name];

const GIVEN: readonly Filter[] = [
  { name: 'state', of: 'all', value: any(['opened', 'closed', 'all']) },
  { name: 'state', of: REQUESTS, value: any(['merged', 'locked']) },
  { name: 'scope', of: BOTH, value: any(['all', 'created_by_me', 'assigned-to-me']) },
  { name: 'scope', of: REQUESTS, value: any(['reviews_for_me']) },
  { name: 'labels', of: 'all', value: orWord(two(any([...TITLES, 'unheard']))), negated: true },
  { name: 'labels', of: 'all', value: two(any(TITLES)) },
  { name: 'milestone', of: BOTH, value: orWord(any(['now', 'next', 'shut', 'past'])), negated: true },
  { name: 'milestone_id', of: BOTH, value: any(['Any', 'None', 'Upcoming', 'Started']), family: 'milestone' },
  { name: 'not[milestone_id]', of: BOTH, value: any(['Upcoming', 'started']), family: 'not[milestone]' },
  { name: 'iids', of: 'all', value: two((_, one) => String(one + 1)), negated: true },
  { name: 'search', of: 'all', value: any(['log', 'SLOW', '0%', 'r_s', '\\', 'e', '7']) },
  { name: 'in', of: BOTH, value: any(['title', 'description', 'title,description']) },
  { name: 'author_id', of: 'all', value: person, negated: true, family: 'author' },
  { name: 'author_username', of: 'all', value: username, negated: true, family: 'author' },
  { name: 'assignee_id', of: BOTH, value: orWord(person, ['Any', 'None', '0']), family: 'assignee' },
  { name: 'not[assignee_id]', of: BOTH, value: person, family: 'not[assignee]' },
  { name: 'assignee_username', of: BOTH, value: two(username), negated: true, family: 'assignee' },
  { name: 'reviewer_id', of: REQUESTS, value: orWord(person), family: 'reviewer' },
  { name: 'not[reviewer_id]', of: REQUESTS, value: person, family: 'not[reviewer]' },
  { name: 'reviewer_username', of: REQUESTS, value: username, negated: true, family: 'reviewer' },
  { name: 'my_reaction_emoji', of: 'all', value: orWord(any(EMOJI)) },
  { name: 'not[my_reaction_emoji]', of: 'all', value: any(EMOJI) },
  ...(['created', 'updated'] as const).flatMap((what) =>
    ['after', 'before'].map((when): Filter => ({
      name: `${what}_${when}`,
      of: 'all',
      value: time(`${what}_at`),
    })),
  ),
  { name: 'confidential', of: ['issue', 'epic'], value: any(['true', 'false']) },
  { name: 'issue_type', of: ISSUES, value: any(['incident', 'issue']) },
  { name: 'due_date', of: ISSUES, value: any(['0', 'any', 'today', 'overdue']) },
  { name: 'weight', of: ISSUES, value: orWord((_, one) => String(one % 3)) },
  { name: 'not[weight]', of: ISSUES, value: (_, one) => String(one % 3) },
  { name: 'health_status', of: ISSUES, value: orWord(any(['on_track', 'at_risk'])) },
  { name: 'not[health_status]', of: ISSUES, value: any(['on_track', 'at_risk']) },
  {
    name: 'epic_id',
    of: ISSUES,
    value: orWord(({ facts }, one) => String(among(facts.things.epic, one).id)),
  },
  { name: 'not[epic_id]', of: ISSUES, value: ({ facts }, one) => String(among(facts.things.epic, one).id) },
  { name: 'wip', of: REQUESTS, value: any(['yes', 'no']) },
  { name: 'approved', of: REQUESTS, value: any(['yes', 'no']) },
  { name: 'approved_by_ids', of: REQUESTS, value: orWord(two(person)), family: 'approved_by' },
  { name: 'approved_by_usernames', of: REQUESTS, value: orWord(two(username)), family: 'approved_by' },
  { name: 'approver_ids', of: REQUESTS, value: orWord(two(person)) },
  { name: 'source_branch', of: REQUESTS, value: any(BRANCHES), negated: true },
  { name: 'target_branch', of: REQUESTS, value: any(['main', ...BRANCHES]), negated: true },
  { name: 'source_project_id', of: REQUESTS, value: ({ coded }, one) => String(among(coded, one)) },
  { name: 'environment', of: REQUESTS, value: any(['production', 'staging', 'nowhere']) },
  { name: 'deployed_after', of: REQUESTS, value: any(['2020-01-01', '2999-01-01']) },
  { name: 'with_labels_details', of: 'all', value: any(['true', 'false']) },
  { name: 'view', of: REQUESTS, value: any(['simple']) },
  { name: 'non_archived', of: BOTH, value: any(['true', 'false']) },
  { name: 'include_ancestor_groups', of: ['epic'], value: any(['true', 'false']) },
  { name: 'include_descendant_groups', of: ['epic'], value: any(['true', 'false']) },
];

const FILTERS = GIVEN.flatMap((one): Filter[] => {
  const { name, family = name, negated = false } = one;
  return negated ? [one, { ...one, name: `not[${name}]`, family: `not[${family}]` }] : [one];
});

const ORDERS: Readonly<Record<Kind, readonly string[]>> = {
  issue:
    'created_at updated_at due_date label_priority milestone_due popularity priority title weight id'.split(
      ' ',
    ),
  merge_request:
    'created_at label_priority merged_at milestone_due popularity priority title updated_at id'.split(' '),
  epic: 'created_at updated_at title id'.split(' '),
};

const digit = fc.nat(9);
const filter = fc.record({ which: fc.nat(999), one: digit, other: digit });

/** A question before the world is known; bias would choose the first filters and orders. */
export const QUESTION = fc.noBias(
  fc.record({
    kind: fc.constantFrom<Kind>('issue', 'issue', 'merge_request', 'merge_request', 'epic'),
    place: fc.constantFrom('everywhere', 'group', 'project', 'project', 'milestone'),
    at: digit,
    asker: fc.constantFrom<Asker>('root', 'root', 'anonymous', 0, 0, 1, 2, 3, 4, 5),
    filters: fc.oneof(fc.array(filter, { maxLength: 1 }), fc.array(filter, { maxLength: 4 })),
    order: fc.option(fc.nat(99), { nil: null, freq: 2 }),
    sort: fc.constantFrom('asc', 'desc', null),
    perPage: fc.constantFrom(1, 2, 3, 7),
    page: fc.integer({ min: 1, max: 4 }),
  }),
);

/** Its parts. */
type Asked = typeof QUESTION extends fc.Arbitrary<infer One> ? One : never;

/** A question of some list: its path and parameters. */
export interface Question {
  readonly kind: Kind;
  readonly asker: Asker;
  readonly place: Place;
  readonly path: string;
  readonly filters: Filters;
  readonly perPage: number;
  readonly page: number;
}

const PLURAL = { issue: 'issues', merge_request: 'merge_requests', epic: 'epics' } as const;

function placeOf(
  stage: PlanningStage,
  kind: Kind,
  place: string,
  at: number,
): { place: Place; base: string } {
  const group = among(stage.groups, at);
  if (kind === 'epic' || place === 'group')
    return { place: { in: 'group', id: group }, base: `/groups/${group}` };
  if (place === 'milestone' && stage.facts.milestones.length > 0) {
    const { id, project_id: project, group_id: of } = among(stage.facts.milestones, at * 3);
    const where = project
      ? ({ in: 'project', id: project } as const)
      : ({ in: 'group', id: of ?? 0 } as const);
    return { place: { ...where, milestone: id }, base: `/${where.in}s/${where.id}/milestones/${id}` };
  }
  if (place === 'everywhere') return { place: { in: 'everywhere' }, base: '' };
  const project = among(stage.projects, at);
  return { place: { in: 'project', id: project }, base: `/projects/${project}` };
}

/** The question in a world. */
export function questionIn(stage: PlanningStage, asked: Asked): Question {
  const { kind, asker, order, sort, perPage, page } = asked;
  const { place, base } = placeOf(stage, kind, asked.place, asked.at);
  const known = FILTERS.filter(({ of }) => of === 'all' || of.includes(kind)).filter(
    ({ name }) => name !== 'non_archived' || place.in !== 'project' || kind === 'issue',
  );
  const filters: Record<string, string> = {};
  const families = new Set<string>();
  // Milestones list theirs without filters.
  for (const { which, one, other } of place.in !== 'everywhere' && place.milestone !== undefined
    ? []
    : asked.filters) {
    const { name, family = name, value } = among(known, which);
    if (!families.has(family)) filters[name] = value(stage, one, other);
    families.add(family);
  }
  if (base === '') filters['scope'] ??= asker === 'anonymous' ? 'all' : 'created_by_me';
  if (place.in === 'everywhere' || place.milestone === undefined) {
    if (order !== null) filters['order_by'] = among(ORDERS[kind], order);
    if (sort !== null) filters['sort'] = sort;
  }
  return { kind, asker, place, path: `${base}/${PLURAL[kind]}`, filters, perPage, page };
}
