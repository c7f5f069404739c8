/** Statement that compares counters with what they count, and statements that repair them. */
interface Counted {
  readonly sql: string;
  readonly mend: readonly string[];
}

/** Repairs a counter by adding the difference found in one snapshot, so that concurrent changes are kept. */
const changing = (missing: string, change: string): string =>
  `with missing as materialized (${missing}) ${change}`;

/**
 * Check of the tallies of all and of open issues or merge requests; `links` maps the kind of subject to its
 * link table.
 */
export function talliesCheck(
  issuable: 'issue' | 'merge_request',
  links: Readonly<Record<string, string>>,
): Counted {
  const own = ['author', 'milestone'].map((kind) => ({
    kind,
    subject: `x.${kind}_id`,
    from: `${issuable}s x`,
  }));
  const linked = Object.entries(links).map(([kind, table]) => ({
    kind,
    subject: kind === 'label' ? 'l.label_id' : 'l.user_id',
    from: `${issuable}s x join ${table} l on l.${issuable}_id = x.id`,
  }));
  const rows = [...own, ...linked].map(
    ({
      kind,
      subject,
      from,
    }) => `select k.kind, ${subject} as subject_id, x.project_id, count(*) as count from ${from}
      cross join lateral (values ('${kind}', true), ('opened_${kind}', x.state = 'opened')) k(kind, is_counted)
      where ${subject} is not null and k.is_counted group by 1, 2, 3`,
  );
  const missing = `select kind, subject_id, project_id, coalesce(r.count, 0) - coalesce(t.count, 0) as count
    from (select kind, subject_id, project_id, sum(count) as count from ${issuable}_tallies group by 1, 2, 3) t
    full join (${rows.join(' union all ')}) r using (kind, subject_id, project_id)
    where coalesce(t.count, 0) <> coalesce(r.count, 0)`;
  return {
    sql: `select kind || ' ' || subject_id || ' in project ' || project_id as what from (${missing}) missing`,
    mend: [
      changing(
        missing,
        `insert into ${issuable}_tallies (kind, subject_id, project_id, count) select * from missing`,
      ),
    ],
  };
}

/**
 * Check of a project's counters of the given kinds; issues are also counted by state. These counters stop at
 * zero, so wrong ones are locked before the difference is computed. Tallies are rows that are summed up, so
 * they need no lock.
 */
export function countersCheck(
  usages: readonly ('deployments' | 'issues' | 'merge_requests' | 'alerts')[],
): Counted {
  const rows = usages.map((usage) => {
    const open = usage === 'issues' ? `count(*) filter (where state = 'opened')` : '0';
    return `select '${usage}' as usage, project_id, max(iid) as last, count(*) as live, ${open} as open from ${usage} group by project_id`;
  });
  const missing = `select usage, project_id, coalesce(d.last, 0) as last, coalesce(d.live, 0) - coalesce(i.live_count, 0) as live,
      coalesce(d.open, 0) - coalesce(i.open_count, 0) as open
    from (${rows.join(' union all ')}) d
    full join (select * from internal_ids where usage in (${usages.map((usage) => `'${usage}'`).join(', ')})) i using (usage, project_id)
    where i.last_value is null or i.last_value < coalesce(d.last, 0) or i.live_count <> coalesce(d.live, 0)
      or i.open_count <> coalesce(d.open, 0)`;
  return {
    sql: `select usage || ' of project ' || project_id as what from (${missing}) missing`,
    mend: [
      `select 1 from internal_ids where (usage, project_id) in (select usage, project_id from (${missing}) missing)
        order by project_id, usage for update`,
      changing(
        missing,
        `insert into internal_ids as i (usage, project_id, last_value, live_count, open_count) select * from missing
          on conflict (project_id, usage) do update set last_value = greatest(i.last_value, excluded.last_value),
            live_count = i.live_count + excluded.live_count, open_count = i.open_count + excluded.open_count`,
      ),
    ],
  };
}

const TALK = [
  ['issues', 'Issue'],
  ['merge_requests', 'MergeRequest'],
  ['epics', 'Epic'],
] as const;

const untold = (
  table: string,
  type: string,
): string => `select t.id, coalesce(n.notes, 0) - t.user_notes_count as notes from ${table} t
    left join (select noteable_id, count(*) as notes from notes where noteable_type = '${type}' and not system group by noteable_id) n
    on n.noteable_id = t.id where t.user_notes_count <> coalesce(n.notes, 0)`;

/**
 * Repairs counts in rows, locked in the order of their ids, by the differences of `missing`, which `set`
 * names.
 */
const counting = (table: string, missing: string, set: string): string[] => [
  `select 1 from ${table} where id in (select id from (${missing}) missing) order by id for no key update`,
  changing(missing, `update ${table} t set ${set} from missing where t.id = missing.id`),
];

/**
 * Check of the note counts of issues, merge requests and epics; rows are locked like the counters of
 * projects.
 */
export const noteableCheck: Counted = {
  sql: TALK.map(
    ([table, type]) => `select '${type} ' || id as what from (${untold(table, type)}) ${table}_missing`,
  ).join(' union all '),
  mend: TALK.flatMap(([table, type]) =>
    counting(table, untold(table, type), 'user_notes_count = t.user_notes_count + missing.notes'),
  ),
};

const VOTED = [...TALK, ['notes', 'Note']] as const;
const unvoted = (
  table: string,
  type: string,
): string => `select t.id, coalesce(e.ups, 0) - t.upvotes as ups, coalesce(e.downs, 0) - t.downvotes as downs from ${table} t
    left join (select awardable_id, count(*) filter (where name = 'thumbsup') as ups, count(*) filter (where name = 'thumbsdown') as downs
      from award_emoji where awardable_type = '${type}' and name in ('thumbsup', 'thumbsdown') group by awardable_id) e
    on e.awardable_id = t.id where t.upvotes <> coalesce(e.ups, 0) or t.downvotes <> coalesce(e.downs, 0)`;

/** Check of the votes of issues, merge requests, epics and notes. */
export const votesCheck: Counted = {
  sql: VOTED.map(
    ([table, type]) => `select '${type} ' || id as what from (${unvoted(table, type)}) ${table}_missing`,
  ).join(' union all '),
  mend: VOTED.flatMap(([table, type]) =>
    counting(
      table,
      unvoted(table, type),
      'upvotes = t.upvotes + missing.ups, downvotes = t.downvotes + missing.downs',
    ),
  ),
};

const UNSTARRED = `select p.id, coalesce(s.stars, 0) - p.star_count as stars from projects p
    left join (select project_id, count(*) as stars from project_stars group by project_id) s on s.project_id = p.id
    where p.star_count <> coalesce(s.stars, 0)`;

/** Check of the stars of projects. */
export const starsCheck: Counted = {
  sql: `select 'project ' || id as what from (${UNSTARRED}) missing`,
  mend: counting('projects', UNSTARRED, 'star_count = t.star_count + missing.stars'),
};
