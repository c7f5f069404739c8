import { basicUrl } from './git-url.js';
import { WorkingCopy } from '../git.js';
import type { ApiClient } from '../client.js';
import type { Instance, InstanceUser } from './instance.js';

/** Users of the source: `ada` is known at both ends, `bob` only at the source. */
export interface Staff {
  readonly mover: InstanceUser;
  readonly ada: InstanceUser;
  readonly bob: InstanceUser;
}

/** Paths of the filled groups and projects. */
export interface FilledGroup {
  readonly groups: readonly string[];
  readonly projects: readonly string[];
  /** The project with some of everything. */
  readonly rich: string;
}

/** Returns a successful response. @throws otherwise */
export async function made<T = { id: number; iid: number }>(
  answer: Promise<{ status: number; text: string; body: unknown }>,
): Promise<T> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body as T;
}

const path = (full: string): string => encodeURIComponent(full);

/**
 * Fills the group `acme` at an instance: subgroups, `projectCount` projects with `issuesEach` issues, and one
 * project with everything.
 */
export async function fillGroup(
  source: Instance,
  { mover, ada, bob }: Staff,
  { projectCount, issuesEach }: { readonly projectCount: number; readonly issuesEach: number },
): Promise<FilledGroup> {
  const own = mover.api;
  const group = (name: string, parent?: number): Promise<{ id: number }> =>
    made(
      own.post('/groups', {
        name: `Group ${name}`,
        path: name,
        description: `About ${name}`,
        parent_id: parent,
      }),
    );
  const acme = await group('acme');
  const web = await group('web', acme.id);
  const tools = await group('tools', web.id);
  const homes = [acme.id, web.id, tools.id];
  const homePaths = ['acme', 'acme/web', 'acme/web/tools'];
  await made(own.post(`/groups/${acme.id}/members`, { user_id: ada.id, access_level: 40 }));
  await made(own.post(`/groups/${web.id}/members`, { user_id: bob.id, access_level: 30 }));
  await fillPlanning(own, acme.id, web.id);
  const projects: string[] = [];
  for (let index = 0; index < projectCount; index += 1) {
    const home = index % homes.length;
    const name = `project-${index}`;
    const { id } = await made(
      own.post('/projects', { name, path: name, namespace_id: homes[home], description: `Number ${index}` }),
    );
    projects.push(`${homePaths[home]}/${name}`);
    await addIssues(source, id, issuesEach, [mover.id, ada.id, bob.id]);
  }
  const rich = projects[1] ?? '';
  await fillProject(rich, source, { mover, ada, bob });
  for (const [other, type] of [
    [rich, 'relates_to'],
    [projects[0], 'blocks'],
  ] as const)
    await made(
      own.post(`/projects/${path(rich)}/issues/2/links`, {
        ...{ target_project_id: other, target_issue_iid: 1, link_type: type },
      }),
    );
  return { groups: homePaths, projects, rich };
}

async function fillPlanning(own: ApiClient, groupId: number, belowId: number): Promise<void> {
  await made(
    own.post(`/groups/${groupId}/labels`, { name: 'everywhere', color: '#123456', description: 'Of all' }),
  );
  await made(own.post(`/groups/${groupId}/milestones`, { title: 'Year', due_date: '2027-01-31' }));
  const epic = await made(
    own.post(`/groups/${groupId}/epics`, {
      title: 'Great things',
      description: 'Many',
      labels: 'everywhere',
    }),
  );
  await made(own.post(`/groups/${groupId}/epics`, { title: 'Small things', confidential: true }));
  const child = await made(own.post(`/groups/${groupId}/epics`, { title: 'A part of them' }));
  const below = await made(own.post(`/groups/${belowId}/epics`, { title: 'A part of that' }));
  await made(own.put(`/groups/${groupId}/epics/${child.iid}`, { parent_id: epic.id }));
  await made(own.put(`/groups/${belowId}/epics/${below.iid}`, { parent_id: child.id }));
  await made(own.post(`/groups/${groupId}/epics/${epic.id}/notes`, { body: 'To be *split*' }));
}

/** Inserts as many issues as a service has after some years. */
async function addIssues(
  source: Instance,
  projectId: number,
  count: number,
  authors: number[],
): Promise<void> {
  await source.sql(
    `insert into internal_ids (project_id, usage, last_value, live_count) values ($1, 'issues', $2, $2)`,
    [projectId, count],
  );
  await source.sql(
    `with i as (insert into issues (project_id, iid, author_id, title, description, state, closed_at, created_at, updated_at)
       select $1, n, ($3::bigint[])[1 + n % 3], 'Issue ' || n, repeat('Text of ' || n || E'\\n', 5),
         case when n % 4 = 0 then 'closed' else 'opened' end, case when n % 4 = 0 then at end, at, at
       from generate_series(1, $2::int) n, lateral (select date_trunc('second', now()) - n * interval '1 hour' as at) times
       returning id, iid, author_id, created_at)
     insert into notes (noteable_type, noteable_id, project_id, author_id, body, discussion_id, created_at, updated_at)
     select 'Issue', id, $1, author_id, 'Note on ' || iid, md5('discussion of ' || id), created_at, created_at from i where iid % 2 = 0`,
    [projectId, count, authors],
  );
}

async function fillProject(full: string, source: Instance, { mover, ada, bob }: Staff): Promise<void> {
  const own = mover.api;
  const p = `/projects/${path(full)}`;
  await made(own.post(`${p}/members`, { user_id: ada.id, access_level: 40 }));
  await made(own.post(`${p}/members`, { user_id: bob.id, access_level: 30 }));
  await made(own.post(`${p}/labels`, { name: 'bug', color: '#ff0000', description: 'Wrong' }));
  await made(own.post(`${p}/milestones`, { title: 'v1', description: 'First', start_date: '2026-01-01' }));
  const [milestone] = await made<{ id: number }[]>(own.get(`${p}/milestones`));
  const issue = await made(
    ada.api.post(`${p}/issues`, {
      ...{
        title: 'Rich',
        description: `See ${source.url}/${full}/-/issues/1`,
        labels: 'bug,everywhere,new one',
      },
      ...{
        assignee_ids: [ada.id],
        milestone_id: milestone?.id,
        due_date: '2026-12-24',
        weight: 3,
        confidential: true,
      },
    }),
  );
  const talk = `${p}/issues/${issue.iid}`;
  const note = await made(ada.api.post(`${talk}/notes`, { body: 'By ada, for @bob' }));
  await made(bob.api.post(`${talk}/notes`, { body: 'By bob' }));
  await made(ada.api.post(`${talk}/notes/${note.id}/award_emoji`, { name: 'tada' }));
  await made(ada.api.post(`${talk}/award_emoji`, { name: 'thumbsup' }));
  await made(ada.api.post(`${talk}/time_estimate`, { duration: '2h' }));
  await made(ada.api.post(`${talk}/add_spent_time`, { duration: '30m' }));
  const thread = await made<{ id: string }>(ada.api.post(`${talk}/discussions`, { body: 'A thread' }));
  await made(own.post(`${talk}/discussions/${thread.id}/notes`, { body: 'An answer' }));
  const [epic] = await made<{ iid: number }[]>(own.get('/groups/acme/epics?sort=asc'));
  for (const iid of [issue.iid, 2, 1]) {
    const { id } = await made(own.get<{ id: number; iid: number }>(`${p}/issues/${iid}`));
    await made(own.post(`/groups/acme/epics/${epic?.iid}/issues/${id}`));
  }
  await fillCode(full, source, { mover, ada, bob });
  await made(
    own.post(`${p}/snippets`, {
      ...{ title: 'Snip', description: 'Short', visibility: 'private' },
      files: [
        { file_path: 'a.txt', content: 'A\n' },
        { file_path: 'b.rb', content: 'puts 1\n' },
      ],
    }),
  );
  await made(own.post(`${p}/wikis`, { title: 'home', content: 'Welcome' }));
  await made(
    own.post(`${p}/freeze_periods`, {
      freeze_start: '0 23 * * 5',
      freeze_end: '0 8 * * 1',
      cron_timezone: 'UTC',
    }),
  );
}

async function fillCode(full: string, source: Instance, { mover, ada }: Staff): Promise<void> {
  const own = mover.api;
  const p = `/projects/${path(full)}`;
  const work = await new WorkingCopy().init();
  try {
    const url = basicUrl(source.url, full, mover.token);
    const first = await work.commit({ 'README.md': 'Hello\n' }, 'First');
    await work.git('push', '--quiet', url, 'main');
    await work.git('tag', 'v1.0');
    await work.git('push', '--quiet', url, 'v1.0');
    for (const branch of ['feature', 'merged', 'closed']) {
      await work.git('checkout', '--quiet', '-b', branch, 'main');
      await work.commit({ [`${branch}.txt`]: `${branch}\n` }, `Add ${branch}`);
      await work.git('push', '--quiet', url, branch);
    }
    const request = (branch: string): Promise<{ iid: number }> =>
      made(
        ada.api.post(`${p}/merge_requests`, {
          source_branch: branch,
          target_branch: 'main',
          title: branch,
          labels: 'bug',
        }),
      );
    const open = await request('feature');
    const merged = await request('merged');
    const closed = await request('closed');
    await made(ada.api.post(`${p}/merge_requests/${open.iid}/notes`, { body: 'Look here' }));
    await made(own.post(`${p}/merge_requests/${open.iid}/approve`));
    await made(own.put(`${p}/merge_requests/${merged.iid}/merge`, {}));
    await made(own.put(`${p}/merge_requests/${closed.iid}`, { state_event: 'close' }));
    await made(
      own.post(`${p}/protected_branches`, {
        name: 'release-*',
        push_access_level: 40,
        merge_access_level: 30,
      }),
    );
    await made(
      own.post(`${p}/environments`, {
        name: 'production',
        tier: 'production',
        external_url: 'https://shop.example.com',
      }),
    );
    await made(
      own.post(`${p}/deployments`, {
        ...{ environment: 'production', ref: 'main', tag: false, status: 'success', sha: first },
      }),
    );
    await made(own.post(`${p}/statuses/${first}`, { state: 'success', name: 'ci/test', ref: 'main' }));
  } finally {
    work.remove();
  }
}
