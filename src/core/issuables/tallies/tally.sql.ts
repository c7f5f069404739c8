/** All of them. */
export const TALLIED = ['issue', 'merge_request'] as const;

/** What is tallied: the things with a table of tallies of their own. */
export type Tallied = (typeof TALLIED)[number];

/** What things are tallied by; merge requests have reviewers. */
export type TallyKind = 'author' | 'assignee' | 'reviewer' | 'label' | 'milestone';

/** Queries of the total of a list: of all that it starts from, and of what is open of it. */
export interface Totals {
  readonly all: string;
  readonly opened: string;
}

const totals = (kind: TallyKind, sumOf: (kind: string) => string): Totals => ({
  all: sumOf(kind),
  opened: sumOf(`opened_${kind}`),
});

/**
 * Totals of a list over the sources `s`, which have `project_id` and the subject's `column`. Where two sources may list the
 * same thing (`overlaps`) they are known only when no project has two; else null.
 */
export const sumOfTallies = (of: Tallied, kind: TallyKind, column: string, overlaps = false): Totals =>
  totals(kind, (name) => {
    const sum = `select coalesce(sum(t.count), 0)::bigint from s join ${of}_tallies t
    on t.subject_id = s.${column} and t.kind = '${name}' and t.project_id = s.project_id`;
    return overlaps
      ? `select case when (select count(*) = count(distinct project_id) from s) then (${sum}) end`
      : sum;
  });

/** Totals of one subject, the only source `s` with its `user_id`, in all projects `p` of which `shown` is true. */
export const sumOverProjects = (of: Tallied, kind: TallyKind, shown: string): Totals =>
  totals(
    kind,
    (
      name,
    ) => `select coalesce(sum(t.count), 0)::bigint from ${of}_tallies t join projects p on p.id = t.project_id
    where t.subject_id = (select user_id from s) and t.kind = '${name}' and ${shown}`,
  );

/** The total that fits the filters that are left; undefined where others than the state are, as `isUnfiltered` tells. */
export function totalFor<Filters extends { readonly state?: string }>(
  { all, opened }: Totals,
  rest: Filters,
  isUnfiltered: (params: Filters) => boolean,
): string | undefined {
  const isOpened = rest.state === 'opened';
  const others = isOpened ? Object.assign(Object.create(null) as Filters, rest, { state: 'all' }) : rest;
  if (!isUnfiltered(others)) return undefined;
  return isOpened ? opened : all;
}
