/** How counters are compared with what they count, and put right. */
interface Counted {
  readonly sql: string;
  readonly mend: readonly string[];
}

/** Counters are mended by what they miss, seen at one moment: whoever writes at the same time adds to that. */
const changing = (missing: string, change: string): string =>
  `with missing as materialized (${missing}) ${change}`;

/** Tallies of a thing, of all and of open ones; the tables of links by the kind of their subject. */
export function talliesCheck(
  thing: 'issue' | 'merge_request',
  links: Readonly<Record<string, string>>,
): Counted {
  const own = ['author', 'milestone'].map((kind) => ({ kind, subject: `x.${kind}_id`, from: `${thing}s x` }));
  const linked = Object.entries(links).map(([kind, table]) => ({
    kind,
    subject: kind === 'label' ? 'l.label_id' : 'l.user_id',
    from: `${thing}s x join ${table} l on l.${thing}_id = x.id`,
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
    from (select kind, subject_id, project_id, sum(count) as count from ${thing}_tallies group by 1, 2, 3) t
    full join (${rows.join(' union all ')}) r using (kind, subject_id, project_id)
    where coalesce(t.count, 0) <> coalesce(r.count, 0)`;
  return {
    sql: `select kind || ' ' || subject_id || ' in project ' || project_id as what from (${missing}) missing`,
    mend: [
      changing(
        missing,
        `insert into ${thing}_tallies (kind, subject_id, project_id, count) select * from missing`,
      ),
    ],
  };
}

/**
 * Counters of a project's things of some kinds; issues are counted by their state too. Such counters stop at zero, so those that are wrong are
 * held before what they miss is seen. Tallies are rows that are added up: nobody needs to wait for those.
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

/** Notes of whatever is talked about; held as the counters of projects are. */
export const talkCheck: Counted = {
  sql: TALK.map(
    ([table, type]) => `select '${type} ' || id as what from (${untold(table, type)}) ${table}_missing`,
  ).join(' union all '),
  mend: TALK.flatMap(([table, type]) => [
    `select 1 from ${table} where id in (select id from (${untold(table, type)}) missing) order by id for no key update`,
    changing(
      untold(table, type),
      `update ${table} t set user_notes_count = t.user_notes_count + missing.notes from missing where t.id = missing.id`,
    ),
  ]),
};
