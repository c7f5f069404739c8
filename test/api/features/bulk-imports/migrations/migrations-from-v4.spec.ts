import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../../support/api.js';
import { WorkingCopy } from '../../../../support/git.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { ADA, v4Content } from '../../../../support/v4-server/v4-content.js';
import { issuesOf, mergeRequestsOf } from '../../../../support/v4-server/v4-expected.js';
import { hurry, migrateFrom, type MigrationEnd } from '../../../../support/v4-server/v4-migration.js';
import { makeRepositories, type V4Repositories } from '../../../../support/v4-server/v4-repositories.js';
import { V4Server } from '../../../../support/v4-server/v4-server.js';
import { V4_VERSIONS } from '../../../../support/v4-server/v4-version.js';

// Another product as the source: only REST and git, with records in the names and forms of its version.
let api: TestApi;
let repositories: V4Repositories;
let ada: CreatedUser;
let mover: CreatedUser;

beforeAll(async () => {
  api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true' });
  hurry(api);
  repositories = await makeRepositories();
  ada = await createUser(api, { email: ADA.toLowerCase(), skip_confirmation: true });
  // The importer is not an administrator.
  await api.root.put(`/users/${ada.id}`, { public_email: ADA.toLowerCase() });
  mover = await createUser(api);
});
afterAll(async () => {
  await api.close();
  repositories.remove();
});

const slugs = Object.keys(V4_VERSIONS) as (keyof typeof V4_VERSIONS)[];
const ON = '2019-03-04';
const BY_ZOE = `\n\n*By Zoe of the source (\`@zoe\`) on ${ON} (imported)*`;

describe.each(slugs)('a group of a server of version %s', (slug) => {
  const version = V4_VERSIONS[slug];
  let source: V4Server;
  let ended: MigrationEnd;

  beforeAll(async () => {
    source = await V4Server.start(version, (url) => v4Content(version, repositories, url));
    ended = await migrateFrom(api, source, mover.client, {
      source_full_path: 'acme',
      destination_slug: slug,
    });
  });
  afterAll(() => source.stop());

  const ofGroup = async (path = ''): Promise<unknown> =>
    (await mover.client.get<unknown>(`/groups/${slug}${path}`)).body;
  const ofProject = async (path = ''): Promise<unknown> =>
    (await mover.client.get<unknown>(`/projects/${slug}%2Fweb${path}`)).body;

  it('is imported completely; what it does not have is skipped silently', () => {
    expect(ended.status).toBe('finished');
    expect(ended.entities.map(({ source_full_path: path, status }) => [path, status])).toEqual([
      ['acme', 'finished'],
      ['acme/web', 'finished'],
      ['acme/tools', 'finished'],
      ['acme/tools/empty', 'finished'],
      ['acme/tools/plans', 'finished'],
    ]);
    expect(ended.failures.map(({ relation, exception_message: message }) => [relation, message])).toEqual([
      ...(version.hasBatches
        ? [['labels', 'Export of batch 1 from source instance failed: No space left']]
        : []),
      ['protected_branches', expect.stringMatching(/^1 of those who have rights/)],
    ]);
    const missing = ['deployments', 'environments', 'freeze_periods', 'protected_environments'];
    expect(ended.relations.map(({ relation, status }) => [relation, status])).toEqual(
      [...missing, ...(version.hasEpics ? [] : ['epics'])].sort().map((relation) => [relation, 'skipped']),
    );
    expect([source.strays, source.leaks]).toEqual([[], 0]);
  });

  it('has its avatar, and those of projects if the server serves them', async () => {
    const picture = async (path: string): Promise<unknown> => {
      const { status, headers } = await mover.client.get(path);
      return status === 200 ? headers.get('content-type') : status;
    };
    expect([
      await picture(`/groups/${slug}/avatar`),
      await picture(`/groups/${slug}%2Ftools/avatar`),
      await picture(`/projects/${slug}%2Fweb/avatar`),
    ]).toEqual(['image/png', 404, version.hasProjectAvatars ? 'image/png' : 404]);
  });

  it('has its attributes, members, labels, milestones and epics', async () => {
    expect(await ofGroup()).toMatchObject({
      name: slug === 'v16' ? 'Group acme' : expect.stringMatching(/^Group acme/),
      visibility: 'public',
      description: 'About acme',
      project_creation_level: 'maintainer',
      subgroup_creation_level: 'owner',
      request_access_enabled: false,
      emails_disabled: true,
    });
    const members = (await ofGroup('/members')) as { id: number; access_level: number }[];
    expect(new Map(members.map(({ id, access_level }) => [id, access_level]))).toEqual(
      new Map([
        [mover.id, 50],
        [ada.id, 40],
      ]),
    );
    expect(await ofGroup('/labels')).toMatchObject([{ name: 'team::a', color: '#5CB85C' }]);
    expect(await ofGroup('/milestones')).toMatchObject([
      { iid: 2, title: 'Year', state: 'active', due_date: '2020-01-01', start_date: null },
    ]);
    expect(await ofGroup('/epics?sort=asc')).toMatchObject(
      version.hasEpics
        ? [
            {
              ...{ iid: 1, title: 'Great', state: 'opened', confidential: true, labels: ['team::a'] },
              ...{ author: { id: ada.id }, start_date: '2019-01-01', due_date: '2019-12-31' },
            },
            {
              iid: 2,
              title: 'Small',
              state: 'closed',
              author: { id: mover.id },
              closed_at: expect.any(String),
            },
          ]
        : [],
    );
    expect(await ofGroup('/subgroups')).toMatchObject([{ full_path: `${slug}/tools` }]);
    const tools = await mover.client.get<{ name: string }[]>(
      `/groups/${slug}%2Ftools/labels?include_ancestor_groups=false`,
    );
    expect(tools.body.map(({ name }) => name)).toEqual(version.hasBatches ? ['c'] : ['a', 'b', 'c']);
  });

  it('has projects with attributes, code and wiki', async () => {
    expect(await ofProject()).toMatchObject({
      visibility: 'internal',
      description: 'The web',
      topics: ['rust'],
      merge_method: 'rebase_merge',
      squash_option: 'default_on',
      only_allow_merge_if_pipeline_succeeds: true,
      created_at: '2018-01-02T03:04:05.678Z',
      default_branch: 'main',
      empty_repo: false,
      mirror: false,
      build_timeout: 7_200,
      wiki_access_level: version.hasOldNames ? 'enabled' : 'private',
    });
    const names = (list: unknown): unknown[] => (list as { name: string }[]).map(({ name }) => name);
    expect(names(await ofProject('/repository/branches'))).toEqual(['feature', 'fix', 'main']);
    expect(names(await ofProject('/repository/tags'))).toEqual(['v1.0']);
    const commits = (await ofProject('/repository/commits')) as { id: string }[];
    const { merge, fixed, first } = repositories.commits;
    expect(commits.map(({ id }) => id).sort()).toEqual([merge, fixed, first].sort());
    expect(await ofProject('/wikis?with_content=1')).toMatchObject([{ slug: 'home', content: 'Welcome\n' }]);
    const empty = await mover.client.get(`/projects/${slug}%2Ftools%2Fempty`);
    expect(empty.body).toMatchObject({ empty_repo: true });
    const plans = await mover.client.get(`/projects/${slug}%2Ftools%2Fplans`);
    expect(plans.body).toMatchObject({ repository_access_level: 'disabled' });
    expect(await ofProject('/members')).toMatchObject([{ id: ada.id, access_level: 50 }]);
  });

  it('has issues with everything that belongs to them', async () => {
    const issues = await ofProject('/issues?sort=asc&order_by=created_at');
    expect(issues).toMatchObject(issuesOf(version, slug, { ada: ada.id, mover: mover.id }));
    expect(await ofProject('/labels')).toMatchObject([
      { name: 'bug', is_project_label: true, priority: 1, description: 'Wrong' },
      { name: 'team::a', is_project_label: false },
    ]);
    expect(await ofProject('/milestones')).toMatchObject([{ iid: 4, title: 'Sprint 1', state: 'closed' }]);
    // New ones get the next number.
    const made = await mover.client.post<{ iid: number }>(`/projects/${slug}%2Fweb/issues`, { title: 'New' });
    expect(made.body.iid).toBe(8);
  });

  it('has notes with threads, emoji and system notes', async () => {
    expect(await ofProject('/issues/1/discussions')).toMatchObject([
      {
        notes: [
          { type: 'DiscussionNote', body: `I see it too${BY_ZOE}`, author: { id: mover.id }, system: false },
          { type: 'DiscussionNote', body: 'So do I', author: { id: ada.id } },
        ],
      },
      { individual_note: true, notes: [{ system: true, body: 'assigned to @ada', author: { id: ada.id } }] },
    ]);
    const notes = (await ofProject('/issues/3/notes?sort=asc&order_by=id')) as object[];
    expect(notes).toMatchObject([
      { system: true, body: `imported this issue, which Zoe of the source (\`@zoe\`) created on ${ON}` },
      { body: 'Only for us', internal: true },
    ]);
  });

  it('has merge requests with notes on lines, users and states', async () => {
    expect(await ofProject('/merge_requests?sort=asc&order_by=created_at')).toMatchObject(
      mergeRequestsOf(repositories.commits, { ada: ada.id, mover: mover.id }),
    );
    const [thread] = (await ofProject('/merge_requests/1/discussions')) as { notes: object[] }[];
    expect(thread?.notes).toMatchObject([
      {
        ...{ type: 'DiffNote', resolvable: true, resolved: true, resolved_by: { id: ada.id } },
        position: {
          base_sha: repositories.commits.first,
          new_path: 'app.txt',
          new_line: 2,
          position_type: 'text',
        },
      },
      { type: 'DiffNote', body: 'Why not?', author: { id: ada.id } },
    ]);
    expect(await ofProject('/merge_requests/1/approvals')).toMatchObject({
      approved_by: [{ user: { id: ada.id } }],
    });
    expect(await ofProject('/merge_requests/1/diffs')).toMatchObject([{ new_path: 'app.txt' }]);
    // Its commits are in no branch of the source.
    expect(await ofProject('/merge_requests/5/diffs')).toMatchObject([{ new_path: 'patch.txt' }]);
    expect(await ofProject('/merge_requests/5/commits')).toMatchObject([{ title: 'Patch' }]);
  });

  it('has its past pipelines, none of which runs again', async () => {
    expect(await ofProject('/pipelines?sort=asc')).toMatchObject([
      { iid: 1, status: 'success', ref: 'main', sha: repositories.commits.first, source: 'push' },
      { iid: 2, status: 'failed', ref: 'refs/merge-requests/1/head', source: 'merge_request_event' },
      { iid: 3, status: 'canceled', source: 'ondemand_dast_scan' },
    ]);
    const [first] = (await ofProject('/pipelines?sort=asc')) as { id: number }[];
    expect(await ofProject(`/pipelines/${first?.id}/jobs`)).toMatchObject([
      { name: 'unit', stage: 'test', status: 'success' },
      { name: 'compile', stage: 'build', status: 'success', user: { id: mover.id } },
    ]);
    expect(await ofProject(`/repository/commits/${repositories.commits.first}/statuses`)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'ci/other', target_url: 'https://ci.example.com/1', coverage: 87.5 }),
      ]),
    );
    expect(await ofProject('/merge_requests/1/pipelines')).toMatchObject([{ iid: 2 }]);
  });

  it('has snippets and protections', async () => {
    const snippets = (await ofProject('/snippets')) as { id: number; title: string; visibility: string }[];
    const shown = snippets.map(({ title, visibility }) => [title, visibility]);
    expect(shown.sort()).toEqual([
      ['Snip', 'private'],
      ['Snip', 'public'],
    ]);
    const texts = await Promise.all(
      snippets.map(
        async ({ id }) => (await mover.client.get(`/projects/${slug}%2Fweb/snippets/${id}/raw`)).text,
      ),
    );
    expect(texts.sort()).toEqual(['echo 1\n', 'nameless']);
    const [rich] = snippets.filter(({ visibility }) => visibility === 'private');
    const { body } = await mover.client.get<{ files: { path: string }[]; updated_at: string }>(
      `/projects/${slug}%2Fweb/snippets/${rich?.id}`,
    );
    expect(body.files.map(({ path }) => path)).toEqual(['run.sh', 'sub/more.sh']);
    expect(body.updated_at).toBe('2020-04-05T06:07:08.901Z');
    const work = await new WorkingCopy().init();
    try {
      const url = `${api.url.replace('://', `://root:${ROOT_TOKEN}@`)}/${slug}/web/snippets/${rich?.id}.git`;
      await work.git('fetch', '--quiet', url, 'HEAD');
      expect(await work.git('log', '--format=%s', 'FETCH_HEAD')).toBe('Go on\nBegin');
    } finally {
      work.remove();
    }
    expect(await ofProject('/protected_branches')).toMatchObject([
      {
        name: 'main',
        push_access_levels: [{ access_level: 0 }],
        merge_access_levels: [{ access_level: 30 }],
      },
      {
        ...{ name: 'release/*', allow_force_push: true, code_owner_approval_required: true },
        push_access_levels: [{ access_level: 40 }, { user_id: ada.id }],
        merge_access_levels: [{ access_level: 40 }],
      },
    ]);
    expect(await ofProject('/protected_tags')).toMatchObject([
      { name: 'v*', create_access_levels: [{ access_level: 40 }] },
    ]);
  });
});
