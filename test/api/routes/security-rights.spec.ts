import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, type TestApi } from '../../support/api.js';
import type { ApiClient } from '../../support/client.js';
import { buildGroup } from '../../support/builders/group.js';
import { buildMember } from '../../support/builders/member.js';
import { buildProject } from '../../support/builders/project.js';
import { buildResourceToken, buildToken } from '../../support/builders/token.js';
import { clientOf, createUser, type CreatedUser } from '../../support/builders/user.js';
import { sendRaw } from '../../support/raw-http.js';
import { borrowApi } from '../../support/shared-api.js';

const MIB = 1024 * 1024;

interface Rule {
  readonly groups: readonly { readonly id: number }[];
  readonly eligible_approvers: readonly { readonly id: number }[];
  readonly contains_hidden_groups: boolean;
}

describe('forbidden actions', () => {
  let api: TestApi;
  let user: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    user = await createUser(api);
  });
  afterAll(() => api.close());

  const multipart = (fields: Readonly<Record<string, string>>): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return form;
  };
  const upload = (path: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${api.url}/api/v4${path}`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
      body: multipart(fields),
    });

  describe('maintainers', () => {
    it('cannot end a share with a higher role than their own', async () => {
      const project = await buildProject(api.root);
      const group = await buildGroup(api);
      await buildMember(api, `projects/${project.id}`, user.id, 40);
      await api.root.post(`/projects/${project.id}/share`, { group_id: group.id, group_access: 50 });
      expect((await user.client.delete(`/projects/${project.id}/share/${group.id}`)).status).toBe(403);
      expect((await api.root.delete(`/projects/${project.id}/share/${group.id}`)).status).toBe(204);
    });

    it('cannot revoke a token with a higher role than their own', async () => {
      const project = await buildProject(api.root);
      await buildMember(api, `projects/${project.id}`, user.id, 40);
      const owners = await buildResourceToken(api.root, `projects/${project.id}`, { access_level: 50 });
      const own = await buildResourceToken(api.root, `projects/${project.id}`, { access_level: 40 });
      const path = `/projects/${project.id}/access_tokens`;
      expect((await user.client.delete(`${path}/${owners.id}`)).status).toBe(403);
      expect((await user.client.delete(`${path}/${own.id}`)).status).toBe(204);
    });
  });

  it('include moving a project beyond the limit of a namespace', async () => {
    const poor = await createUser(api, { projects_limit: 1 });
    const group = await buildGroup(api);
    await buildMember(api, `groups/${group.id}`, poor.id, 50);
    const projects = await Promise.all(
      [1, 2].map(() => buildProject(poor.client, { namespace_id: group.id })),
    );
    const moves = await Promise.all(
      projects.map(({ id }) => poor.client.put(`/projects/${id}/transfer`, { namespace: poor.username })),
    );
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('include removing both owners of a group at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await createUser(api);
      const second = await createUser(api);
      const group = await buildGroup(api, {}, first.client);
      await buildMember(api, `groups/${group.id}`, second.id, 50);
      const answers = await Promise.all([first, second].map(({ id }) => api.root.delete(`/users/${id}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    }
  });

  it('include moving a public object into a group that becomes private meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const group = await buildGroup(api, { visibility: 'public' });
      const moved = await buildGroup(api, { visibility: 'public' });
      await Promise.all([
        api.root.put(`/groups/${group.id}`, { visibility: 'private' }),
        ...[1, 2, 3].map((number) =>
          api.root.post('/projects', {
            name: `race-${round}-${number}`,
            namespace_id: group.id,
            visibility: 'public',
          }),
        ),
        api.root.post(`/groups/${moved.id}/transfer`, { group_id: group.id }),
      ]);
      const [wider] = await api.sql<{ wider: boolean }>(
        `select exists (select 1 from namespaces g where g.id = $1 and g.visibility = 'private' and (
           exists (select 1 from projects p where p.namespace_id = g.id and p.visibility = 'public')
           or exists (select 1 from namespaces c where c.parent_id = g.id and c.visibility = 'public'))) as wider`,
        [group.id],
      );
      expect(wider).toEqual({ wider: false });
    }
  });

  it('include rights in other groups by a share of their own', async () => {
    const other = await buildGroup(api);
    await api.root.post(`/groups/${other.id}/wikis`, { title: 'Home', content: 'secret' });
    const own = await buildGroup(api, {}, user.client);
    const below = await buildGroup(api, { parent_id: own.id }, user.client);
    const share = { group_id: below.id, group_access: 50 };
    expect((await user.client.post(`/groups/${own.id}/share`, share)).status).toBe(201);
    const runner = { runner_type: 'group_type', group_id: other.id };
    expect((await user.client.post('/user/runners', runner)).status).toBe(404);
    const { token } = await buildToken(api, user.id);
    const wiki = await fetch(`${api.url}/${other.full_path}.wiki.git/info/refs?service=git-upload-pack`, {
      headers: { Authorization: `Basic ${Buffer.from(`git:${token}`).toString('base64')}` },
    });
    expect(wiki.status).toBe(404);
  });

  it('include seeing members of internal groups as a bot, and of groups that are being removed as anyone', async () => {
    const group = await buildGroup(api, { visibility: 'internal' });
    await buildMember(api, `groups/${group.id}`, user.id, 30);
    const project = await buildProject(api.root);
    await buildMember(api, `projects/${project.id}`, user.id, 30);
    const { token } = await buildResourceToken(api.root, `projects/${project.id}`, { access_level: 40 });
    const bot = api.as(token);
    const rule = { name: 'group', approvals_required: 1, group_ids: [group.id] };
    await api.root.post(`/projects/${project.id}/approval_rules`, rule);
    const readers = [
      [user.client, [group.id], false],
      [bot, [], true],
    ] as const;
    for (const [reader, groups, hidden] of readers) {
      const [seen] = (await reader.get<Rule[]>(`/projects/${project.id}/approval_rules`)).body;
      expect(seen?.groups.map(({ id }) => id)).toEqual(groups);
      expect(seen?.eligible_approvers.some(({ id }) => id === user.id)).toBe(!hidden);
      expect(seen?.contains_hidden_groups).toBe(hidden);
    }
    const mention = async (by: ApiClient): Promise<boolean> => {
      const issue = await by.post<{ iid: number }>(`/projects/${project.id}/issues`, {
        title: 'For all',
        description: `@${group.full_path}`,
      });
      const path = `/projects/${project.id}/issues/${issue.body.iid}/participants`;
      return (await api.root.get<{ id: number }[]>(path)).body.some(({ id }) => id === user.id);
    };
    expect([await mention(api.root), await mention(bot)]).toEqual([true, false]);
    await api.sql('update namespaces set pending_delete = true where id = $1', [group.id]);
    const [left] = (await api.root.get<Rule[]>(`/projects/${project.id}/approval_rules`)).body;
    expect([left?.groups, left?.eligible_approvers]).toEqual([[], []]);
  });

  it('include acting as others in admin mode with a token without that scope', async () => {
    const plain = await clientOf(api, 1, ['api', 'sudo']);
    const full = await clientOf(api, 1, ['api', 'sudo', 'admin_mode']);
    const asUser = { Sudo: user.username };
    await full.put('/application/settings', { admin_mode: true });
    try {
      expect((await plain.get('/user', asUser)).status).toBe(403);
      expect((await full.get('/user', asUser)).body).toMatchObject({ id: user.id });
    } finally {
      await full.put('/application/settings', { admin_mode: false });
    }
    expect((await plain.get('/user', asUser)).body).toMatchObject({ id: user.id });
  });

  describe('multipart bodies', () => {
    it('are refused if sudo comes late, instead of acting as the administrator', async () => {
      const answer = await upload('/projects', { name: 'as-somebody-else', sudo: user.username });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({ message: { sudo: ['cannot be a field of a multipart body'] } });
    });

    it('accept the same values as other bodies', async () => {
      expect((await upload('/projects', { name: 'of-a-form' })).status).toBe(201);
    });

    it('are limited in total size', async () => {
      const fields = Object.fromEntries(
        Array.from({ length: 14 }, (_, index) => [`f${index}`, 'x'.repeat(MIB - 1)]),
      );
      const answer = await upload('/projects', { name: 'of-a-large-form', ...fields }).catch(() => null);
      // The connection is closed while the client is still sending: it may not read the response.
      expect([413, undefined]).toContain(answer?.status);
      expect((await api.root.get<unknown[]>('/projects?search=of-a-large-form')).body).toEqual([]);
    });
  });

  it('include setting the host of links by the request target', async () => {
    const answer = await sendRaw(
      api.url,
      `GET http://evil.example/api/v4/projects?per_page=1 HTTP/1.1\r\nHost: evil.example\r\nPRIVATE-TOKEN: ${ROOT_TOKEN}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
    expect(answer.head).toContain('<http://forgeplane.test/api/v4/projects?');
    expect(answer.head).not.toContain('evil.example');
  });
});
