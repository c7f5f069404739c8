import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { RemoveObjectsProcessor } from '#kernel/object-storage/claims/remove-objects.processor.js';
import { ROOT_TOKEN, type TestApi } from '../../../../support/api.js';
import { insertPerson, pathOf, sendAvatar } from '../../../../support/avatars.js';
import type { ApiClient } from '../../../../support/client.js';
import { GIF, type ImageForm } from '../../../../support/metric-images.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

interface Pictured {
  readonly id: number;
  readonly avatar_url: string | null;
}

const UNSUPPORTED =
  'file format is not supported. Please try one of the following supported formats: image/png, image/jpeg, image/gif, image/webp, image/x-icon';

describe('avatars', () => {
  let api: TestApi;
  let ada: { id: number; client: ApiClient };
  let eve: { id: number; client: ApiClient };
  let count = 0;

  const next = (): string => `thing-${(count += 1)}`;
  const objects = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of api.app.get(ObjectStorage).list('avatars/')) keys.push(key);
    return keys;
  };
  const rows = (): Promise<{ object_key: string }[]> => api.sql('select object_key from avatars');
  /** Expects one stored object per row, after unused objects were removed. */
  const expectNothingLeft = async (): Promise<void> => {
    await api.app
      .get(RemoveObjectsProcessor, { strict: false })
      .process({}, { signal: new AbortController().signal } as never);
    expect((await objects()).sort()).toEqual((await rows()).map((row) => row.object_key).sort());
    expect(await api.sql(`select 1 from object_claims where object_key like 'avatars/%'`)).toEqual([]);
  };
  const createProject = async (visibility: string, client = ada.client): Promise<Pictured> =>
    (await client.post<Pictured>('/projects', { name: next(), visibility })).body;
  const createGroup = async (visibility: string, client = ada.client): Promise<Pictured> => {
    const path = next();
    return (await client.post<Pictured>('/groups', { name: path, path, visibility })).body;
  };

  beforeAll(async () => {
    api = await borrowApi();
    ada = await insertPerson(api, 'ada');
    eve = await insertPerson(api, 'eve');
  });
  afterAll(() => api.close());

  it('of the caller are set, shown everywhere, served, replaced and removed', async () => {
    const set = await sendAvatar(ada.client, 'PUT', '/user/avatar');
    const url = `http://forgeplane.test/uploads/-/system/user/avatar/${ada.id}/me.gif`;
    expect([set.status, set.body]).toEqual([200, { avatar_url: url }]);

    const served = await api.anonymous.get(pathOf(url));
    expect([served.status, served.text]).toEqual([200, GIF]);
    for (const [name, value] of Object.entries({
      'content-type': 'image/gif',
      'content-length': String(GIF.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      etag: `"${createHash('sha256').update(GIF).digest('hex')}"`,
    }))
      expect([name, served.headers.get(name)]).toEqual([name, value]);
    const known = { 'If-None-Match': served.headers.get('etag') ?? '' };
    expect((await api.anonymous.get(pathOf(url), known)).status).toBe(304);
    for (const path of [`/uploads/-/system/user/avatar/${eve.id}/me.gif`, pathOf(url).replace('me.', 'you.')])
      expect((await api.anonymous.get(path)).body).toEqual({ message: '404 Avatar Not Found' });

    const project = await createProject('public');
    const issue = await ada.client.post<{ iid: number; author: Pictured }>(`/projects/${project.id}/issues`, {
      title: 'Seen',
      assignee_ids: [ada.id],
    });
    const at = `/projects/${project.id}/issues/${issue.body.iid}`;
    await ada.client.post(`${at}/notes`, { body: 'Seen' });
    await ada.client.post(`${at}/award_emoji`, { name: 'eyes' });
    await ada.client.post(`/projects/${project.id}/snippets`, {
      title: 'Seen',
      visibility: 'public',
      files: [{ file_path: 'a', content: 'a' }],
    });
    await ada.client.post(`/projects/${project.id}/star`);
    for (const path of [
      '/user',
      `/users/${ada.id}`,
      '/users?username=ada',
      `/projects/${project.id}`,
      `/projects?owned=true`,
      `/projects/${project.id}/users`,
      `/projects/${project.id}/members/all`,
      `/projects/${project.id}/starrers`,
      `/projects/${project.id}/events`,
      `/projects/${project.id}/snippets`,
      at,
      `${at}/notes`,
      `${at}/discussions`,
      `${at}/award_emoji`,
      `${at}/participants`,
      '/namespaces',
      '/issues?scope=all',
    ]) {
      const { status, text } = await ada.client.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, text]).toEqual([path, expect.stringContaining(`"avatar_url":"${url}"`)]);
    }
    const admin = await api.root.get<{ created_by: unknown }>(`/users/${ada.id}`);
    expect(admin.body).toMatchObject({ avatar_url: url, created_by: { avatar_url: null } });

    const other = await sendAvatar(ada.client, 'PUT', '/user/avatar', { name: 'Bär ☂.gif' });
    expect(pathOf(other.body.avatar_url)).toBe(`/uploads/-/system/user/avatar/${ada.id}/B_r_.gif`);
    expect((await api.anonymous.get(pathOf(url))).status).toBe(404);
    expect((await api.anonymous.get(pathOf(other.body.avatar_url))).text).toBe(GIF);
    await expectNothingLeft();
    expect(await objects()).toHaveLength(1);

    const removed = await ada.client.send('PUT', '/user/avatar', 'avatar=', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect([removed.status, removed.body]).toEqual([200, { avatar_url: null }]);
    expect((await ada.client.get<Pictured>('/user')).body.avatar_url).toBeNull();
    expect((await ada.client.get<Pictured[]>('/namespaces')).body.map((one) => one.avatar_url)).toEqual([
      null,
    ]);
    await expectNothingLeft();
    expect(await objects()).toEqual([]);
  });

  it('of users can be set when they are created and changed', async () => {
    const fields = {
      email: 'kim@example.com',
      name: 'Kim',
      username: 'kim',
      password: 'long enough for anybody',
    };
    const created = await sendAvatar<Pictured>(api.root, 'POST', '/users', { fields });
    expect([created.status, pathOf(created.body.avatar_url)]).toEqual([
      201,
      `/uploads/-/system/user/avatar/${created.body.id}/me.gif`,
    ]);
    const at = `/users/${created.body.id}`;
    const changed = await sendAvatar<Pictured>(api.root, 'PUT', at, {
      name: 'other.gif',
      fields: { bio: 'Hi' },
    });
    expect(changed.body).toMatchObject({ bio: 'Hi', avatar_url: expect.stringMatching(/other\.gif$/) });
    expect((await api.root.put<Pictured>(at, { bio: 'Ho' })).body.avatar_url).toMatch(/other\.gif$/);
    expect((await api.root.put<Pictured>(at, { avatar: '' })).body.avatar_url).toBeNull();
    expect((await sendAvatar(eve.client, 'PUT', at)).status).toBe(403);
    // A refused upload leaves nothing behind.
    expect((await sendAvatar(api.root, 'POST', '/users', { fields })).status).toBe(409);
    await expectNothingLeft();

    await sendAvatar(api.root, 'PUT', at);
    await api.root.delete(`${at}?hard_delete=true`);
    await until(async () => (await api.sql('select 1 from users where username = $1', ['kim'])).length === 0);
    await expectNothingLeft();
  });

  it.each([
    ['projects', () => createProject('private')],
    ['groups', () => createGroup('private')],
  ])(
    'of %s are set on creation and change, and visible to users who can see the owner',
    async (kind, create) => {
      const path = next();
      const created = await sendAvatar<Pictured>(ada.client, 'POST', `/${kind}`, {
        fields: { name: path, path },
      });
      expect(created.status).toBe(201);
      expect(pathOf(created.body.avatar_url)).toBe(
        `/uploads/-/system/${kind.slice(0, -1)}/avatar/${created.body.id}/me.gif`,
      );
      const container = await create();
      const at = `/${kind}/${container.id}`;
      expect((await ada.client.get(`${at}/avatar`)).body).toEqual({ message: '404 Avatar Not Found' });
      const changed = await sendAvatar<Pictured>(ada.client, 'PUT', at);
      expect(changed.status).toBe(200);
      const file = pathOf(changed.body.avatar_url);
      for (const each of [file, `${at}/avatar`]) {
        expect((await ada.client.get(each)).text).toBe(GIF);
        for (const client of [eve.client, api.anonymous]) expect((await client.get(each)).status).toBe(404);
      }
      // The id of another owner does not give access to it either.
      expect((await ada.client.get(file.replace(`/${container.id}/`, `/${created.body.id}/`))).text).toBe(
        GIF,
      );
      const open = await createProject('public', eve.client);
      expect((await eve.client.get(file.replace(`/${container.id}/`, `/${open.id}/`))).status).toBe(404);

      expect((await ada.client.put<Pictured>(at, { description: 'Seen' })).body.avatar_url).toBe(
        changed.body.avatar_url,
      );
      expect((await ada.client.get<Pictured[]>(`/${kind}`)).text).toContain(changed.body.avatar_url);
      await ada.client.put(at, { visibility: 'public' });
      for (const each of [file, `${at}/avatar`]) expect((await api.anonymous.get(each)).text).toBe(GIF);
      for (const client of [eve.client, api.anonymous])
        expect([401, 403]).toContain((await sendAvatar(client, 'PUT', at)).status);
      expect((await ada.client.put<Pictured>(at, { avatar: null })).body.avatar_url).toBeNull();
      expect((await ada.client.get(`${at}/avatar`)).status).toBe(404);
      await expectNothingLeft();
      await sendAvatar(ada.client, 'PUT', at);
      await ada.client.delete(`${at}?permanently_remove=true`);
      await until(async () => (await rows()).length === (await objects()).length - 1);
      await expectNothingLeft();
    },
  );

  it('of groups are shown by their projects, and those of users by their personal projects', async () => {
    const group = await createGroup('public');
    await sendAvatar(ada.client, 'PUT', `/groups/${group.id}`, { name: 'group.gif' });
    await sendAvatar(ada.client, 'PUT', '/user/avatar', { name: 'own.gif' });
    const below = await ada.client.post<{ id: number; namespace: Pictured }>('/projects', {
      name: next(),
      namespace_id: group.id,
    });
    expect(below.body.namespace.avatar_url).toMatch(/group\/avatar\/\d+\/group\.gif$/);
    const own = await ada.client.post<{ namespace: Pictured; owner: Pictured }>('/projects', {
      name: next(),
    });
    expect(own.body.namespace.avatar_url).toMatch(/user\/avatar\/\d+\/own\.gif$/);
    expect(own.body.owner.avatar_url).toBe(own.body.namespace.avatar_url);
    const groups = await ada.client.get<Pictured[]>(`/projects/${below.body.id}/groups`);
    expect(groups.body[0]?.avatar_url).toMatch(/group\.gif$/);
  });

  it('must be small images of supported types, checked by their content', async () => {
    const refused = async (form: ImageForm): Promise<unknown> => {
      const { status, body } = await sendAvatar(ada.client, 'PUT', '/user/avatar', form);
      return [status, body];
    };
    const whole = GIF.padEnd(200 * 1024, 'a');
    expect((await sendAvatar(ada.client, 'PUT', '/user/avatar', { content: whole })).status).toBe(200);
    const before = (await ada.client.get<Pictured>('/user')).body;
    const problem = (text: string): unknown => [400, { message: { avatar: [text] } }];
    const tooBig = problem('is too big (should be at most 200 KiB)');
    expect(await refused({ content: `${whole}a` })).toEqual(tooBig);
    expect(await refused({ content: GIF.padEnd(201 * 1024, 'a') })).toEqual(tooBig);
    expect(await refused({ content: GIF.padEnd(900 * 1024, 'a') })).toEqual(tooBig);
    for (const form of [
      { name: 'me.png', content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' },
      { name: 'me.png', content: '<!doctype html><script>alert(1)</script>' },
      { name: 'me.svg' },
      { name: 'me.html' },
      { name: 'me.bmp', content: 'BM'.padEnd(40, 'a') },
      { name: 'me.tiff', content: 'II*\0'.padEnd(40, 'a') },
      { name: 'me.png', content: '' },
    ])
      expect([form, await refused(form)]).toEqual([form, problem(UNSUPPORTED)]);
    expect(await refused({ fields: { avatar: 'text' } })).toEqual(problem('is invalid'));
    expect(await refused({ fields: { 'avatar[name]': 'a.gif' } })).toEqual(problem('is invalid'));
    expect(await refused({ field: 'picture' })).toEqual([
      400,
      { message: '400 (Bad request) "avatar" not given' },
    ]);
    for (const avatar of [
      'text',
      ['a'],
      [''],
      { name: 'a.gif', content: GIF },
      { filename: 'a.gif' },
      7,
      true,
    ])
      expect([avatar, (await ada.client.put('/user/avatar', { avatar })).body]).toEqual([
        avatar,
        { message: { avatar: ['is invalid'] } },
      ]);
    expect((await ada.client.put('/user/avatar', {})).status).toBe(400);
    const twice = new FormData();
    for (const name of ['a.gif', 'b.gif', 'c.gif']) twice.append('avatar', new Blob([GIF]), name);
    const sent = await fetch(`${api.url}/api/v4/projects`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
      body: twice,
    });
    expect([sent.status, await sent.json()]).toEqual(problem('is invalid'));
    expect((await ada.client.get<Pictured>('/user')).body).toEqual(before);
    await expectNothingLeft();
  });

  it('are replaced by one after several simultaneous uploads', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `n${index}.gif`);
    const answers = await Promise.all(
      names.map((name) => sendAvatar(ada.client, 'PUT', '/user/avatar', { name })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { body } = await ada.client.get<Pictured>('/user');
    expect((await api.anonymous.get(pathOf(body.avatar_url))).text).toBe(GIF);
    await expectNothingLeft();
    expect(await api.sql('select 1 from avatars where user_id = $1', [ada.id])).toHaveLength(1);
  });
});
