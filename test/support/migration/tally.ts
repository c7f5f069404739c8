/** Counts all migrated objects at either end, with a digest of the texts of issues and notes. */
export interface Tally {
  readonly [table: string]: number | string | null;
}

/** Runs SQL at one end. */
export type Sql = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;

const TABLES = [
  ...['projects', 'labels', 'milestones', 'issues', 'issue_labels', 'award_emoji', 'timelogs', 'epics'],
  ...['epic_issues', 'merge_requests', 'merge_request_labels', 'protected_refs', 'environments', 'snippets'],
  ...['deployments', 'freeze_periods', 'ci_pipelines', 'ci_jobs'],
];

/** Groups created by a migration are below a group with another name. */
const BELOW = `regexp_replace(p.full_path, '^[^/]+', '')`;

const DIGESTS = {
  groups: `select count(*)::int from namespaces where type = 'Group'`,
  notes: `select count(*)::int from notes where not system`,
  texts: `select md5(string_agg(concat_ws(' ', ${BELOW}, iid, i.title, state), ',' order by ${BELOW}, iid))
    from issues i join projects p on p.id = i.project_id`,
  // The text of a user who is unknown at the destination is followed by their name.
  talk: `select md5(string_agg(concat_ws(' ', ${BELOW}, i.iid, split_part(n.body, E'\\n', 1)), ',' order by ${BELOW}, i.iid, split_part(n.body, E'\\n', 1)))
    from notes n join issues i on n.noteable_type = 'Issue' and n.noteable_id = i.id join projects p on p.id = i.project_id where not n.system`,
};

const COUNTS = TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`);
const MORE = Object.entries(DIGESTS).map(([name, query]) => `(${query}) as ${name}`);

/** Counts everything of an instance that has only the migrated group. */
export async function tallyOf(sql: Sql): Promise<Tally> {
  const [row] = await sql<Tally>(`select ${[...COUNTS, ...MORE].join(', ')}`);
  return row as Tally;
}
