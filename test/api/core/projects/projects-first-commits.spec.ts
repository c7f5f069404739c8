import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

type Body = Record<string, unknown>;

describe('first commits of projects', () => {
  let api: TestApi;
  let owner: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    owner = await createUser(api);
  });
  afterAll(() => api.close());

  it('contain a README if requested', async () => {
    const { status, body } = await owner.client.post('/projects', {
      name: 'Begun',
      description: 'What it is',
      default_branch: 'trunk',
      initialize_with_readme: true,
    });
    expect([status, body]).toMatchObject([201, { empty_repo: false, default_branch: 'trunk' }]);
    expect(body['readme_url']).toMatch(/\/-\/blob\/trunk\/README\.md$/);
    const project = `/projects/${String(body['id'])}`;
    const readme = await owner.client.get(`${project}/repository/files/README.md/raw?ref=trunk`);
    expect([readme.status, readme.text]).toEqual([200, '# Begun\n\nWhat it is\n']);
    const commits = await owner.client.get<Body[]>(`${project}/repository/commits`);
    expect(commits.body).toMatchObject([{ message: 'Initial commit', parent_ids: [] }]);
    const branches = await owner.client.get<Body[]>(`${project}/repository/branches`);
    expect(branches.body).toMatchObject([{ name: 'trunk', default: true, protected: true }]);
    const events = await owner.client.get<Body[]>(`${project}/events`);
    expect(events.body.map((event) => event['action_name'])).toEqual(['pushed new', 'created']);
  });

  it('are created for users who may create projects in a group', async () => {
    const group = await buildGroup(api);
    await api.root.post(`/groups/${group.id}/members`, { user_id: owner.id, access_level: 30 });
    const { status, body } = await owner.client.post('/projects', {
      name: 'Of a developer',
      namespace_id: group.id,
      initialize_with_readme: 'yes',
    });
    expect([status, body]).toMatchObject([201, { empty_repo: false }]);
  });

  it('are by the user for whom an administrator creates a project', async () => {
    const { status, body } = await api.root.post(`/projects/user/${owner.id}`, {
      name: 'Given',
      initialize_with_readme: true,
    });
    expect([status, body]).toMatchObject([201, { empty_repo: false, creator_id: owner.id }]);
    const project = `/projects/${String(body['id'])}`;
    const commits = await owner.client.get<Body[]>(`${project}/repository/commits`);
    const { body: user } = await api.root.get(`/users/${owner.id}`);
    expect(commits.body).toMatchObject([{ message: 'Initial commit', author_name: user['name'] }]);
    const events = await owner.client.get<Body[]>(`${project}/events`);
    expect(events.body.map((event) => event['author_id'])).toEqual([owner.id, owner.id]);
  });

  it('show the README of the project in its next record', async () => {
    const { body } = await owner.client.post('/projects', { name: 'Soon begun' });
    const project = `/projects/${String(body['id'])}`;
    const actions = ['src/README.md', 'readme.txt', 'Readme.adoc'].map((path) => ({
      action: 'create',
      file_path: path,
      content: 'x',
    }));
    const commit = { branch: 'main', commit_message: 'First', actions };
    expect((await owner.client.post(`${project}/repository/commits`, commit)).status).toBe(201);
    const { body: next } = await owner.client.get(project);
    expect(next['readme_url']).toMatch(/\/-\/blob\/main\/Readme\.adoc$/);
  });

  it('are left out otherwise', async () => {
    const without = await owner.client.post('/projects', { name: 'Bare', initialize_with_readme: false });
    expect([without.status, without.body]).toMatchObject([201, { empty_repo: true }]);
    const wrong = await owner.client.post('/projects', { name: 'Odd', initialize_with_readme: 'maybe' });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { message: { initialize_with_readme: ['is invalid'] } },
    ]);
  });
});
