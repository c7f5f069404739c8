import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import type { CodeProject } from '../../../../support/builders/code-project.js';
import type { CreatedUser } from '../../../../support/builders/user.js';
import { importRecords } from '../../../../support/transfer-target.js';
import { TransferWorld } from '../../../../support/transfer-world.js';
import { until } from '../../../../support/until.js';

let world: TransferWorld;
let api: TestApi;
let from: CodeProject;
let to: CodeProject;
let alice: CreatedUser;
beforeAll(async () => {
  world = await TransferWorld.build();
  ({ api, from, to, alice } = world);
});
afterAll(() => world.close());

describe('objects that belong to code', () => {
  it('are protected as at the source; a default protection is replaced', async () => {
    await api.root.post(`/projects/${to.id}/protected_branches`, { name: 'main', push_access_level: 0 });
    await world.post('/protected_branches', {
      name: 'main',
      push_access_level: 30,
      allowed_to_merge: [{ user_id: alice.id }, { user_id: from.developerId }],
      allow_force_push: true,
    });
    await world.post('/protected_branches', { name: 'release/*', code_owner_approval_required: true });
    await world.post('/protected_tags', { name: 'v*', allowed_to_create: [{ user_id: alice.id }] });
    const { problems } = await world.bring('protected_branches');
    await world.bring('protected_tags');
    expect(problems).toEqual([]);
    expect(await world.same<object[]>('/protected_branches')).toHaveLength(2);
    expect(await world.same<object[]>('/protected_tags')).toHaveLength(1);
  });

  it('grant rights of unknown users to Maintainers, and report this', async () => {
    const there = world.target();
    const record = {
      name: 'strange',
      push_access_levels: [
        { access_level: 40, user_id: 4711 },
        { access_level: 40, group_id: 1 },
      ],
      merge_access_levels: [{ access_level: 30 }, { access_level: 50 }],
    };
    await importRecords(api, there, 'protected_branches', [record]);
    const { body } = await api.root.get(`/projects/${to.id}/protected_branches/strange`);
    expect(body).toMatchObject({
      push_access_levels: [{ access_level: 40, user_id: null, group_id: null }],
      merge_access_levels: [{ access_level: 30 }],
      unprotect_access_levels: [],
    });
    expect(there.problems).toEqual([{ title: 'strange', message: expect.stringMatching(/^3 of those/) }]);
  });

  it('include environments, their protections and freeze periods', async () => {
    const production = await world.post<{ id: number }>('/environments', {
      name: 'production',
      external_url: 'https://shop.example.com',
    });
    await world.post('/environments', { name: 'Review/Some Thing', tier: 'other' });
    await api.root.post(`/projects/${from.id}/environments/${production.id}/stop`);
    await world.post('/protected_environments', {
      name: 'production',
      deploy_access_levels: [{ access_level: 30 }, { user_id: alice.id }],
      approval_rules: [{ access_level: 40, required_approvals: 2 }],
    });
    await world.post('/freeze_periods', {
      freeze_start: '0 23 * * 5',
      freeze_end: '0 7 * * 1',
      cron_timezone: 'Berlin',
    });
    for (const relation of ['environments', 'protected_environments', 'freeze_periods'])
      expect((await world.bring(relation)).problems).toEqual([]);
    expect(await world.same<object[]>('/environments')).toHaveLength(2);
    expect(await world.same<object[]>('/protected_environments')).toHaveLength(1);
    expect(await world.same<object[]>('/freeze_periods')).toHaveLength(1);
    const next = await api.root.post(`/projects/${to.id}/environments`, { name: 'next' });
    expect(next.status).toBe(201);
  });

  it('never require fewer approvals than at the source', async () => {
    const there = world.target();
    const record = {
      name: 'staging',
      deploy_access_levels: [{ group_id: 3 }],
      approval_rules: [{ user_id: 4711, required_approvals: 3 }],
    };
    await importRecords(api, there, 'protected_environments', [record]);
    const { body } = await api.root.get(`/projects/${to.id}/protected_environments/staging`);
    expect(body).toMatchObject({
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ access_level: 40, user_id: null, required_approvals: 3 }],
    });
    expect(there.problems).toHaveLength(1);
  });

  it('include snippets with the exact bytes of their files', async () => {
    const made = await world.post<{ id: number }>('/snippets', {
      title: 'Deploy',
      description: 'How',
      visibility: 'internal',
      files: [
        { file_path: 'deploy.sh', content: 'make\n' },
        { file_path: 'docs/häufig.md', content: '# Oft\n' },
      ],
    });
    await api.root.post(`/projects/${from.id}/snippets/${made.id}/notes`, { body: 'Good :+1:' });
    await api.root.post(`/projects/${from.id}/snippets/${made.id}/award_emoji`, { name: 'thumbsup' });
    await world.bring('snippets');
    const shown = async (): Promise<{ id: number }[]> =>
      (await api.root.get<{ id: number }[]>(`/projects/${to.id}/snippets`)).body;
    await until(async () => (await api.sql('select 1 from imported_snippet_files')).length === 0);
    await world.same('/snippets');
    const [there] = await shown();
    const raw = await api.root.get(
      `/projects/${to.id}/snippets/${there?.id ?? 0}/files/main/docs%2Fh%C3%A4ufig.md/raw`,
    );
    expect([raw.status, raw.text]).toEqual([200, '# Oft\n']);
    const notes = await api.root.get<object[]>(`/projects/${to.id}/snippets/${there?.id ?? 0}/notes`);
    expect(notes.body).toEqual([expect.objectContaining({ body: 'Good :+1:', system: false })]);
  });

  it('include the single file of a snippet of a v4 server', async () => {
    const record = {
      id: 7,
      title: 'Old',
      author_id: 4711,
      visibility_level: 20,
      file_name: 'a.rb',
      content: 'puts 1\n',
      created_at: '2019-01-01T00:00:00.000Z',
      updated_at: '2019-02-01T00:00:00.000Z',
    };
    const [id] = await importRecords(api, world.target(), 'snippets', [record]);
    const path = `/projects/${to.id}/snippets/${id ?? 0}`;
    await until(async () => (await api.sql('select 1 from imported_snippet_files')).length === 0);
    expect((await api.root.get(path)).body).toMatchObject({
      visibility: 'public',
      author: { id: 1 },
      files: [{ path: 'a.rb' }],
      created_at: '2019-01-01T00:00:00.000Z',
      updated_at: '2019-02-01T00:00:00.000Z',
    });
    expect((await api.root.get(`${path}/raw`)).text).toBe('puts 1\n');
  });
});
