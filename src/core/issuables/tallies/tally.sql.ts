/** Kinds of tallied issuables. */
export const TALLIED = ['issue', 'merge_request'] as const;

/** Kind of issuables with their own table of tallies. */
export type Tallied = (typeof TALLIED)[number];

/** Subjects of tallies; only merge requests have reviewers. */
export type TallyKind = 'author' | 'assignee' | 'reviewer' | 'label' | 'milestone';

/** Queries for the totals of a list: all rows of its start, and the open ones. */
export interface Totals {
  readonly all: string;
  readonly opened: string;
}

const totals = (kind: TallyKind, sumOf: (kind: string) => string): Totals => ({
  all: sumOf(kind),
  opened: sumOf(`opened_${kind}`),
});

/**
 * Totals of a list over the sources `s`, which have `project_id` and the subject's `column`. If two sources
 * may contain the same issuable (`overlaps`), totals are known only if no project has two sources; else null.
 */
export const sumOfTallies = (of: Tallied, kind: TallyKind, column: string, overlaps = false): Totals =>
  totals(kind, (name) => {
    const sum = `select coalesce(sum(t.count), 0)::bigint from s join ${of}_tallies t
    on t.subject_id = any(array[s.${column}]) and t.kind = '${name}' and t.project_id = s.project_id`;
    return overlaps
      ? `select case when (select count(*) = count(distinct project_id) from s) then (${sum}) end`
      : sum;
  });

/**
 * Totals of one subject, the only source `s` with its `user_id`, in all projects `p` for which `shown` is
 * true.
 */
export const sumOverProjects = (of: Tallied, kind: TallyKind, shown: string): Totals =>
  totals(
    kind,
    (
      name,
    ) => `select coalesce(sum(t.count), 0)::bigint from ${of}_tallies t join projects p on p.id = t.project_id
    where t.subject_id = (select user_id from s) and t.kind = '${name}' and ${shown}`,
  );
