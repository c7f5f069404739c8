import { consistencyChecks } from '../../../src/cli/doctor/doctor-checks.js';
import type { CountWalk } from './count-walk.js';

interface Counted {
  readonly id: number;
  readonly iid: number;
  readonly state: string;
  readonly description: string | null;
  readonly user_notes_count?: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly merge_requests_count?: number;
  readonly task_completion_status?: { readonly count: number; readonly completed_count: number };
}

interface ShownProject {
  readonly star_count: number;
  readonly forks_count: number;
  readonly open_issues_count: number;
  readonly default_branch: string;
  readonly statistics: Readonly<Record<string, number>>;
}

const DOCTORED = /agree|note counter|votes|stars/;

/** Numbers that contradict the lists of what they count. */
export async function miscounted(walk: CountWalk): Promise<string[]> {
  const { api } = walk;
  const found = walk.problems.splice(0);
  const say = (what: string, shown: unknown, listed: unknown): void => {
    if (JSON.stringify(shown) !== JSON.stringify(listed))
      found.push(`${what} is ${JSON.stringify(shown)}, not ${JSON.stringify(listed)}`);
  };
  const all = async <T>(path: string): Promise<T[]> => {
    const rows: T[] = [];
    for (let page = 1; ; page += 1) {
      const { status, body, headers } = await api.root.get<T[]>(
        `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`,
      );
      if (status !== 200) throw new Error(`${path}: ${status}`);
      rows.push(...body);
      if (body.length === 100) continue;
      const total = headers.get('x-total');
      if (total !== null) say(`the total of ${path}`, Number(total), rows.length);
      return rows;
    }
  };
  const things = async (list: string, kind: string): Promise<Counted[]> => {
    const rows = await all<Counted>(
      `${list}${kind === 'epic' ? '?include_descendant_groups=false' : '?scope=all'}`,
    );
    await Promise.all(
      rows.map(async (one) => {
        const at = `${list}/${one.iid}`;
        const [notes, votes] = await Promise.all([
          all<{ system: boolean }>(`${list}/${kind === 'epic' ? one.id : one.iid}/notes`),
          all<{ name: string }>(`${at}/award_emoji`),
        ]);
        const given = (name: string): number => votes.filter((vote) => vote.name === name).length;
        if (one.user_notes_count !== undefined)
          say(`notes of ${at}`, one.user_notes_count, notes.filter(({ system }) => !system).length);
        say(`votes of ${at}`, [one.upvotes, one.downvotes], [given('thumbsup'), given('thumbsdown')]);
        const tasks = one.description?.match(/^- \[[ x]\]/gm) ?? [];
        if (one.task_completion_status)
          say(`tasks of ${at}`, one.task_completion_status, {
            count: tasks.length,
            completed_count: tasks.filter((task) => task.includes('x')).length,
          });
        if (kind === 'issue')
          say(`merge requests of ${at}`, one.merge_requests_count, (await all(`${at}/closed_by`)).length);
      }),
    );
    return rows;
  };
  for (const project of walk.projects) {
    const at = `/projects/${project}`;
    const { body } = await api.root.get<ShownProject>(`${at}?statistics=true`);
    const issues = await things(`${at}/issues`, 'issue');
    await things(`${at}/merge_requests`, 'merge request');
    const open = issues.filter(({ state }) => state === 'opened').length;
    say(`open issues of ${at}`, body.open_issues_count, open);
    say(`stars of ${at}`, body.star_count, (await all(`${at}/starrers`)).length);
    say(`forks of ${at}`, body.forks_count, (await all(`${at}/forks`)).length);
    const { body: shown } = await api.root.get<{ statistics: { counts: object } }>(`${at}/issues_statistics`);
    say(`issues of ${at}`, shown.statistics.counts, {
      all: issues.length,
      closed: issues.length - open,
      opened: open,
    });
    const packages = await all<{ id: number }>(`${at}/packages`);
    const files = await Promise.all(
      packages.map(({ id }) => all<{ size: number }>(`${at}/packages/${id}/package_files`)),
    );
    say(
      `packages of ${at}`,
      body.statistics['packages_size'],
      files.flat().reduce((sum, { size }) => sum + size, 0),
    );
    const [sizes] = await api.sql<{ snippets: number; code: number }>(
      `select coalesce(sum(r.size_bytes) filter (where r.owner_type = 'Snippet'), 0)::int as snippets,
         coalesce(sum(r.size_bytes) filter (where r.owner_type = 'Project' and r.kind = 'code'), 0)::int as code
       from repositories r left join snippets s on r.owner_type = 'Snippet' and s.id = r.owner_id
       where s.project_id = $1 or (r.owner_type = 'Project' and r.owner_id = $1)`,
      [project],
    );
    say(`snippets of ${at}`, body.statistics['snippets_size'], sizes?.snippets);
    say(`code of ${at}`, body.statistics['repository_size'], sizes?.code);
    const { storage_size: whole, commit_count: commits = 0, ...parts } = body.statistics;
    say(`commits of ${at}`, commits, (await all(`${at}/repository/commits`)).length);
    say(
      `storage of ${at}`,
      whole,
      Object.values(parts).reduce((sum, part) => sum + part, 0),
    );
  }
  for (const group of walk.groups) await things(`/groups/${group}/epics`, 'epic');
  for (const { check, sql } of consistencyChecks.filter(({ check: name }) => DOCTORED.test(name)))
    found.push(...(await api.sql<{ what: string }>(sql)).map(({ what }) => `${check}: ${what}`));
  return found;
}
