import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildToken } from '../../../support/builders/token.js';
import { createUser } from '../../../support/builders/user.js';
import { askRefs, type Login } from '../../../support/git-http.js';
import { borrowApi } from '../../../support/shared-api.js';

const NOT_FOUND =
  "The project you were looking for could not be found or you don't have permission to view it.";
const NO_PULL = 'You are not allowed to download code from this project.';
const NO_PUSH = 'You are not allowed to push code to this project.';
const MOVING = 'The repository is temporarily read-only. Please try again later.';
const ROLES = { guest: 10, reporter: 20, developer: 30, maintainer: 40 } as const;

type Who = keyof typeof ROLES | 'stranger' | 'external' | 'root';

let api: TestApi;
let group: { id: number; full_path: string };
const logins = {} as Record<Who, Login>;

beforeAll(async () => {
  api = await borrowApi();
  group = await buildGroup(api, { visibility: 'public' });
  for (const who of ['guest', 'reporter', 'developer', 'maintainer', 'stranger', 'external'] as const) {
    const user = await createUser(api, { external: who === 'external' });
    const { token } = await buildToken(api, user.id, { scopes: ['write_repository'] });
    logins[who] = ['x', token];
    if (who in ROLES) await buildMember(api, `groups/${group.id}`, user.id, ROLES[who as keyof typeof ROLES]);
  }
  logins.root = ['root', (await buildToken(api, 1)).token];
});
afterAll(() => api.close());

/** A project of the group; its URL without the end. */
async function project(values: Record<string, unknown> = {}): Promise<{ id: number; path: string }> {
  const { id, path_with_namespace: path } = await buildProject(api.root, {
    namespace_id: group.id,
    ...values,
  });
  return { id, path: `/${path}` };
}

const statuses = async (
  path: string,
  service: 'upload' | 'receive',
  who: readonly Who[],
): Promise<number[]> => {
  const found: number[] = [];
  for (const one of who) found.push((await askRefs(api, path, service, logins[one])).status);
  return found;
};

describe('the right to fetch', () => {
  const all: Who[] = ['guest', 'reporter', 'developer', 'root', 'stranger', 'external'];

  it('depends on visibility and role', async () => {
    const places = {
      private: [403, 200, 200, 200, 404, 404],
      internal: [200, 200, 200, 200, 200, 404],
      public: [200, 200, 200, 200, 200, 200],
    };
    for (const [visibility, expected] of Object.entries(places)) {
      const { path } = await project({ visibility });
      expect([visibility, await statuses(`${path}.git`, 'upload', all)]).toEqual([visibility, expected]);
      const anonymous = await askRefs(api, `${path}.git`, 'upload');
      expect([visibility, anonymous.status]).toEqual([visibility, visibility === 'public' ? 200 : 401]);
    }
  });

  it('also depends on the feature setting', async () => {
    const members = await project({ visibility: 'public', repository_access_level: 'private' });
    expect(await statuses(`${members.path}.git`, 'upload', all)).toEqual([200, 200, 200, 200, 403, 403]);
    expect((await askRefs(api, `${members.path}.git`, 'upload')).status).toBe(401);
    const off = await project({ visibility: 'public', repository_access_level: 'disabled' });
    expect(await statuses(`${off.path}.git`, 'upload', all)).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await askRefs(api, `${off.path}.git`, 'upload', logins.guest)).text).toBe(NO_PULL);
    expect((await askRefs(api, `${off.path}.git`, 'upload')).status).toBe(401);
  });

  it('is refused with the reason, in plain text', async () => {
    const { path } = await project();
    const guest = await askRefs(api, `${path}.git`, 'upload', logins.guest);
    expect([guest.status, guest.type, guest.text]).toEqual([403, 'text/plain; charset=utf-8', NO_PULL]);
    const stranger = await askRefs(api, `${path}.git`, 'upload', logins.stranger);
    expect([stranger.status, stranger.text]).toEqual([404, NOT_FOUND]);
    expect(stranger.headers.get('www-authenticate')).toBeNull();
  });
});

describe('the right to push', () => {
  const all: Who[] = ['guest', 'reporter', 'developer', 'maintainer', 'root', 'stranger', 'external'];

  it('depends on the role', async () => {
    const open = await project({ visibility: 'public' });
    expect(await statuses(`${open.path}.git`, 'receive', all)).toEqual([403, 403, 200, 200, 200, 403, 403]);
    expect((await askRefs(api, `${open.path}.git`, 'receive', logins.stranger)).text).toBe(NO_PUSH);
    expect((await askRefs(api, `${open.path}.git`, 'receive')).status).toBe(401);
    const closed = await project();
    expect(await statuses(`${closed.path}.git`, 'receive', all)).toEqual([403, 403, 200, 200, 200, 404, 404]);
    for (const path of [`${closed.path}.git`, '/nobody/nothing.git'])
      expect((await askRefs(api, path, 'receive', logins.stranger)).text).toBe(NOT_FOUND);
  });

  it('is refused while the project is archived', async () => {
    const { id, path } = await project();
    await api.root.post(`/projects/${id}/archive`);
    const refused = await askRefs(api, `${path}.git`, 'receive', logins.maintainer);
    expect([refused.status, refused.text]).toEqual([403, "You can't push code to an archived project."]);
    expect((await askRefs(api, `${path}.git`, 'upload', logins.reporter)).status).toBe(200);
  });

  it('is refused while the repository moves', async () => {
    const { id, path } = await project();
    expect((await askRefs(api, `${path}.git`, 'receive', logins.developer)).status).toBe(200);
    await api.sql('update projects set repository_read_only = true where id = $1', [id]);
    for (const end of ['.git', '.wiki.git']) {
      const refused = await askRefs(api, path + end, 'receive', logins.developer);
      expect([end, refused.status, refused.type, refused.text]).toEqual([
        end,
        403,
        'text/plain; charset=utf-8',
        MOVING,
      ]);
    }
    expect((await askRefs(api, `${path}.git`, 'upload', logins.developer)).status).toBe(200);
    expect((await askRefs(api, `${path}.git`, 'receive', logins.guest)).text).toBe(NO_PUSH);
    await api.sql('update projects set repository_read_only = false where id = $1', [id]);
    expect((await askRefs(api, `${path}.git`, 'receive', logins.developer)).status).toBe(200);
  });
});

describe('wikis', () => {
  it('are created by the first push, and do not need the repository', async () => {
    const { path } = await project({ visibility: 'public', repository_access_level: 'disabled' });
    const none = await askRefs(api, `${path}.wiki.git`, 'upload', logins.guest);
    expect([none.status, none.text]).toEqual([404, 'A repository for this project does not exist yet.']);
    expect((await askRefs(api, `${path}.wiki.git`, 'upload')).status).toBe(404);
    expect(await statuses(`${path}.wiki.git`, 'receive', ['guest', 'developer', 'stranger'])).toEqual([
      403, 200, 403,
    ]);
    const refused = await askRefs(api, `${path}.wiki.git`, 'receive', logins.reporter);
    expect(refused.text).toBe("You are not allowed to write to this project's wiki.");
    expect((await askRefs(api, `${path}.wiki.git`, 'upload')).status).toBe(200);
  });

  it('can be disabled, or limited to members', async () => {
    const { path } = await project({ visibility: 'public', wiki_access_level: 'private' });
    expect((await askRefs(api, `${path}.wiki.git`, 'receive', logins.developer)).status).toBe(200);
    expect(await statuses(`${path}.wiki.git`, 'upload', ['guest', 'stranger'])).toEqual([200, 403]);
    expect((await askRefs(api, `${path}.wiki.git`, 'upload')).status).toBe(401);
    const off = await project({ wiki_access_level: 'disabled' });
    expect(await statuses(`${off.path}.wiki.git`, 'receive', ['maintainer', 'root'])).toEqual([403, 403]);
  });

  it('belong to groups as well', async () => {
    const path = `/${group.full_path}.wiki.git`;
    expect((await askRefs(api, path, 'upload', logins.guest)).status).toBe(404);
    expect(await statuses(path, 'receive', ['reporter', 'developer', 'stranger'])).toEqual([403, 200, 403]);
    const refused = await askRefs(api, path, 'receive', logins.stranger);
    expect(refused.text).toBe("You are not allowed to write to this group's wiki.");
    expect(await statuses(path, 'upload', ['guest', 'stranger', 'external'])).toEqual([200, 200, 200]);
    const hidden = await buildGroup(api);
    expect(await statuses(`/${hidden.full_path}.wiki.git`, 'upload', ['developer'])).toEqual([404]);
    expect((await askRefs(api, `/${hidden.full_path}.wiki.git`, 'upload')).status).toBe(401);
  });

  it('of groups follow the plan and the setting of the group', async () => {
    const own = await buildGroup(api, { visibility: 'public' });
    const path = `/${own.full_path}.wiki.git`;
    await api.sql(`update namespaces set settings = '{"wiki_access_level": "disabled"}' where id = $1`, [
      own.id,
    ]);
    expect(await statuses(path, 'receive', ['root'])).toEqual([403]);
    await api.sql(`update namespaces set settings = '{}' where id = $1`, [own.id]);
    await api.root.put('/application/settings', { license_plan: 'free' });
    expect(await statuses(path, 'receive', ['root'])).toEqual([403]);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    expect(await statuses(path, 'receive', ['root'])).toEqual([200]);
  });
});

describe('renamed projects', () => {
  it('are served under the old path', async () => {
    const { id, path } = await project({ name: 'before' });
    await api.root.put(`/projects/${id}`, { path: 'after' });
    expect(path.endsWith('/before')).toBe(true);
    expect(await statuses(`${path}.git`, 'upload', ['reporter', 'stranger'])).toEqual([200, 404]);
    expect(await statuses(`${path}.git`, 'receive', ['developer'])).toEqual([200]);
  });
});

describe('the protocol as a whole', () => {
  it('can be disabled', async () => {
    const { path } = await project({ visibility: 'public' });
    await api.root.put('/application/settings', { enabled_git_access_protocol: 'ssh' });
    const refused = await askRefs(api, `${path}.git`, 'upload', logins.root);
    await api.root.put('/application/settings', { enabled_git_access_protocol: 'all' });
    expect([refused.status, refused.text]).toEqual([403, 'Git access over HTTP is not allowed']);
    expect((await askRefs(api, `${path}.git`, 'upload', logins.root)).status).toBe(200);
  });

  it('has the right content types, and is never cached', async () => {
    const { path } = await project({ visibility: 'public' });
    const old = await askRefs(api, `${path}.git`, 'upload');
    expect(old.type).toBe('application/x-git-upload-pack-advertisement');
    expect(old.text.startsWith('001e# service=git-upload-pack\n0000')).toBe(true);
    for (const version of ['version=1', 'version=2', 'version=2', 'version=9:x', 'x'.repeat(5_000)]) {
      const answer = await askRefs(api, `${path}.git`, 'upload', null, { 'Git-Protocol': version });
      expect(answer.status).toBe(200);
      expect(answer.text.includes('000eversion 2\n')).toBe(version === 'version=2');
    }
    expect(old.headers.get('cache-control')).toBe('no-cache, max-age=0, must-revalidate');
    expect(old.headers.get('pragma')).toBe('no-cache');
    expect(old.headers.get('expires')).toContain('1980');
    const push = await askRefs(api, `${path}.git`, 'receive', logins.root, { 'Git-Protocol': 'version=2' });
    expect(push.type).toBe('application/x-git-receive-pack-advertisement');
    expect(push.text).toContain('push-options');
    for (const { headers } of [old, push]) expect(headers.get('www-authenticate')).toBeNull();
  });

  it('refuses HEAD, unknown services and missing ones', async () => {
    const { path } = await project({ visibility: 'public' });
    const url = `${api.url}${path}.git/info/refs`;
    const head = await fetch(`${url}?service=git-upload-pack`, { method: 'HEAD' });
    expect(head.status).toBe(403);
    for (const query of [
      '',
      '?service=',
      '?service=git-upload-archive',
      '?service[]=git-upload-pack',
      '?service=x&x',
    ]) {
      const answer = await fetch(url + query);
      expect([query, answer.status, await answer.text()]).toEqual([
        query,
        403,
        "The command you're trying to execute is not allowed.",
      ]);
    }
  });

  it('redirects to the full form of a URL, whether it exists or not', async () => {
    for (const path of ['/nobody/nothing', `/${group.full_path}`]) {
      const answer = await askRefs(api, path, 'upload');
      expect(answer.status).toBe(301);
      const target = new URL(answer.headers.get('location') ?? '', `${api.url}${path}/info/refs`);
      expect(target.href).toBe(`${api.url}${path}.git/info/refs?service=git-upload-pack`);
    }
  });
});
