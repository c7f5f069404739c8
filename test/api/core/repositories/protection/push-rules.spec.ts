import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import { BroughtCommits } from '#core/repositories/pushes/brought-commits.js';
import { PushRulesRegistry } from '#core/repositories/pushes/push-rules.registry.js';
import type { Pusher } from '#core/repositories/pushes/pusher.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import { projectRepository, wikiRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { buildGroup } from '../../../../support/builders/group.js';
import type { ApiClient } from '../../../../support/client.js';
import { buildToken } from '../../../../support/builders/token.js';
import { buildMember } from '../../../../support/builders/member.js';
import { borrowApi } from '../../../../support/shared-api.js';

const PUSH = 'You are not allowed to push code to protected branches on this project.';
const FORCE = 'You are not allowed to force push code to a protected branch on this project.';
const CREATE = 'You are not allowed to create protected branches on this project.';
const DELETE =
  'You are not allowed to delete protected branches from this project. Only a project maintainer or owner can delete a protected branch.';
const BY_GIT = 'You can only delete protected branches using the web interface.';
const DEFAULT = 'The default branch of a project cannot be deleted.';
const TAG = 'You are not allowed to change existing tags on this project.';

let api: TestApi;
let code: CodeProject;
let repository: OpenRepository;
let first: string;
let second: string;
let side: string;

beforeAll(async () => {
  api = await borrowApi();
  code = await buildCodeProject(api, async (work) => {
    await work.git('checkout', '--quiet', '-b', 'side', 'main~1');
    side = await work.commit({ 'b.txt': 'b\n' }, 'On the side');
  });
  [first = '', second = ''] = code.commits;
  repository = await api.app.get(RepositoriesService, { strict: false }).open(projectRepository(code.id));
});
afterAll(async () => {
  code.work.remove();
  await api.close();
});

const pusher = (role: Role, via: Pusher['via'] = 'git'): Pusher => ({ userId: code.developerId, role, via });
const judge = (
  who: Pusher | Role,
  changes: readonly RefChange[],
  of: OpenRepository = repository,
): Promise<string | null> =>
  api.app.get(PushRulesRegistry, { strict: false }).judge({
    repository: of,
    pusher: typeof who === 'number' ? pusher(who) : who,
    changes,
    env: {},
    brought: BroughtCommits.none,
  });
const branch = (name: string, before: string, after: string): RefChange[] => [
  { ref: `refs/heads/${name}`, before, after },
];
const tag = (name: string, before: string, after: string): RefChange[] => [
  { ref: `refs/tags/${name}`, before, after },
];
const protect = async (values: object, kind = 'protected_branches'): Promise<void> => {
  const { status, text } = await api.root.post(`/projects/${code.id}/${kind}`, values);
  if (status !== 201) throw new Error(text);
};

beforeEach(() => api.sql('delete from protected_refs where project_id = $1', [code.id]));

describe('branches', () => {
  it('without protection are writable for Developers and above', async () => {
    for (const changes of [
      branch('new', NO_OBJECT, second),
      branch('side', side, second),
      branch('side', side, NO_OBJECT),
    ]) {
      expect(await judge(Role.Developer, changes)).toBeNull();
      for (const role of [Role.None, Role.Guest, Role.Reporter])
        expect(await judge(role, changes)).toBe('You are not allowed to push code to this project.');
    }
  });

  it('with protection accept only what their levels allow', async () => {
    await protect({ name: 'main' });
    await protect({ name: 'open-*', push_access_level: 30 });
    await protect({ name: 'shut', push_access_level: 0 });
    expect(await judge(Role.Developer, branch('main', first, second))).toBe(PUSH);
    expect(await judge(Role.Maintainer, branch('main', first, second))).toBeNull();
    expect(await judge(Role.Developer, branch('open-1', first, second))).toBeNull();
    expect(await judge(Role.Admin, branch('shut', first, second))).toBe(PUSH);
    expect(await judge(Role.Developer, branch('main', NO_OBJECT, second))).toBe(CREATE);
    expect(await judge(Role.Developer, branch('open-2', NO_OBJECT, second))).toBeNull();
    expect(await judge(Role.Maintainer, branch('shut', NO_OBJECT, second))).toBe(CREATE);
    // One invalid change rejects all.
    const both = [...branch('open-1', first, second), ...branch('shut', first, second)];
    expect(await judge(Role.Maintainer, both)).toBe(PUSH);
  });

  it('refuse forced pushes, unless the protection allows them', async () => {
    await protect({ name: 'main' });
    expect(await judge(Role.Maintainer, branch('main', second, side))).toBe(FORCE);
    expect(await judge(Role.Maintainer, branch('main', second, first))).toBe(FORCE);
    expect(await judge(Role.Maintainer, branch('main', second, 'f'.repeat(40)))).toBe(FORCE);
    await protect({ name: 'm*', allow_force_push: true });
    expect(await judge(Role.Maintainer, branch('main', second, side))).toBeNull();
    expect(await judge(Role.Developer, branch('main', second, side))).toBe(PUSH);
  });

  it('are removed only by Maintainers through the API, except the default one', async () => {
    await protect({ name: 'side' });
    const removal = branch('side', side, NO_OBJECT);
    expect(await judge(Role.Developer, removal)).toBe(DELETE);
    expect(await judge(Role.Maintainer, removal)).toBe(BY_GIT);
    expect(await judge(pusher(Role.Developer, 'api'), removal)).toBe(DELETE);
    expect(await judge(pusher(Role.Maintainer, 'api'), removal)).toBeNull();
    for (const via of ['git', 'api'] as const)
      expect(await judge(pusher(Role.Admin, via), branch('main', second, NO_OBJECT))).toBe(DEFAULT);
  });

  it('are writable for the named users and groups', async () => {
    const team = await buildGroup(api);
    await api.root.post(`/projects/${code.id}/share`, { group_id: team.id, group_access: 30 });
    await protect({ name: 'users', allowed_to_push: [{ user_id: code.developerId }] });
    await protect({ name: 'teams', allowed_to_push: [{ group_id: team.id }] });
    expect(await judge(Role.Developer, branch('users', first, second))).toBeNull();
    expect(await judge({ ...pusher(Role.Developer), userId: 1 }, branch('users', first, second))).toBe(PUSH);
    expect(await judge(Role.Reporter, branch('users', first, second))).not.toBeNull();
    expect(await judge(Role.Developer, branch('teams', first, second))).toBe(PUSH);
    await buildMember(api, `groups/${team.id}`, code.developerId, Role.Reporter);
    expect(await judge(Role.Developer, branch('teams', first, second))).toBe(PUSH);
    await api.root.put(`/groups/${team.id}/members/${code.developerId}`, { access_level: Role.Developer });
    expect(await judge(Role.Developer, branch('teams', first, second))).toBeNull();
  });

  it('are checked in bulk with one statement; git runs only for protected ones', async () => {
    await protect({ name: 'release/*' });
    const many = Array.from({ length: 1_000 }, (_, index) => branch(`b/${index}`, first, side)).flat();
    const withoutGit = { ...repository, path: '/nonexistent' };
    expect(await judge(Role.Developer, many, withoutGit)).toBeNull();
    expect(await judge(Role.Developer, [...many, ...branch('release/1', first, second)])).toBe(PUSH);
  });

  it('that are protected are limited to 500 per push, since each costs a process', async () => {
    await protect({ name: 'p/*' });
    const many = Array.from({ length: 501 }, (_, index) => branch(`p/${index}`, first, first)).flat();
    expect(await judge(Role.Maintainer, many.slice(0, 20))).toBeNull();
    expect(await judge(Role.Maintainer, many)).toBe('A push can move at most 500 protected branches.');
  });

  it('cannot have names that look like commits or other refs', async () => {
    expect(await judge(Role.Maintainer, branch('a'.repeat(40), NO_OBJECT, first))).toBe(
      'You cannot create a branch with a 40-character hexadecimal branch name.',
    );
    const names = ['HEAD', 'refs/heads/main', 'refs/tags/v1'];
    const changes = [...names.flatMap((name) => [branch, tag].map((kind) => kind(name, NO_OBJECT, first)))];
    for (const [change] of [...changes, tag('A'.repeat(40), NO_OBJECT, first)])
      expect(await judge(Role.Maintainer, change ? [change] : [])).toBe(
        `The name of ${change?.ref} is ambiguous: choose another one.`,
      );
    // Existing entries can be removed.
    expect(await judge(Role.Maintainer, branch('HEAD', first, NO_OBJECT))).toBeNull();
  });
});

describe('tags', () => {
  it('are created by Developers and changed by Maintainers', async () => {
    expect(await judge(Role.Developer, tag('v1', NO_OBJECT, first))).toBeNull();
    for (const changes of [tag('v1', first, second), tag('v1', first, NO_OBJECT)]) {
      expect(await judge(Role.Developer, changes)).toBe(TAG);
      expect(await judge(Role.Maintainer, changes)).toBeNull();
    }
  });

  it('that are protected cannot be changed', async () => {
    await protect({ name: 'v*', create_access_level: 40 }, 'protected_tags');
    expect(await judge(Role.Developer, tag('v1', NO_OBJECT, first))).toBe(
      'You are not allowed to create this tag as it is protected.',
    );
    expect(await judge(Role.Maintainer, tag('v1', NO_OBJECT, first))).toBeNull();
    expect(await judge(Role.Maintainer, tag('v1', first, second))).toBe('Protected tags cannot be updated.');
    expect(await judge(Role.Maintainer, tag('v1', first, NO_OBJECT))).toBe(
      'Protected tags cannot be deleted.',
    );
    expect(await judge(Role.Developer, tag('x1', NO_OBJECT, first))).toBeNull();
    expect(await judge(Role.Developer, branch('v1', NO_OBJECT, first))).toBeNull();
  });
});

it('does not apply to wikis, which are checked elsewhere', async () => {
  await protect({ name: 'main', push_access_level: 0 });
  const wiki = await api.app
    .get(RepositoriesService, { strict: false })
    .ensure(wikiRepository('Project', code.id));
  expect(await judge(Role.Developer, branch('main', NO_OBJECT, first), wiki)).toBeNull();
});

describe('push rules for git pushes', () => {
  /** Pushes as a user; returns the standard error of git, empty on success. */
  const push = async (role: 'developer' | 'maintainer', ...refspecs: string[]): Promise<string> => {
    const url = new URL(`${api.url}/${code.fullPath}.git`);
    Object.assign(url, { username: 'any', password: tokens[role] });
    const { code: exit, stderr } = await code.work.run(['push', url.href, ...refspecs]);
    return exit === 0 ? '' : stderr;
  };
  const tokens = { developer: '', maintainer: '' };
  beforeAll(async () => {
    const userIdOf = async (client: ApiClient): Promise<number> =>
      (await client.get<{ id: number }>('/user')).body.id;
    for (const role of ['developer', 'maintainer'] as const)
      tokens[role] = (await buildToken(api, await userIdOf(code[role]))).token;
  });

  it('are enforced with their messages, and see commits that are still in quarantine', async () => {
    await protect({ name: 'main' });
    await protect({ name: 'open', push_access_level: 30 });
    await code.work.git('checkout', '--quiet', 'main');
    expect(await push('developer', 'main:refs/heads/open')).toBe('');
    await code.work.commit({ 'c.txt': 'c\n' }, 'Third');
    expect(await push('developer', 'main:refs/heads/open')).toBe('');
    expect(await push('developer', 'main')).toContain(PUSH);
    await code.work.git('commit', '--quiet', '--amend', '--message', 'Third, again');
    expect(await push('developer', '+main:refs/heads/open')).toContain(FORCE);
    expect(await push('maintainer', '+main:refs/heads/open')).toContain(FORCE);
    expect(await push('developer', ':open')).toContain(DELETE);
    expect(await push('maintainer', ':open')).toContain(BY_GIT);
    expect(await push('maintainer', ':main')).toContain(DEFAULT);
    expect(await push('developer', 'main:refs/tags/v9')).toBe('');
    expect(await push('developer', '+main~1:refs/tags/v9')).toContain(TAG);
    expect(await push('developer', ':refs/tags/v9')).toContain(TAG);
    expect(await push('maintainer', 'main')).toBe('');
    expect(await push('maintainer', ':refs/tags/v9')).toBe('');
  });
});

describe('push rules for the API', () => {
  it('refuse Developers with the text of the rule, and allow Maintainers', async () => {
    await protect({ name: 'side' });
    await protect({ name: 'new/*' });
    const branches = `/projects/${code.id}/repository/branches`;
    const made = { branch: 'new/one', ref: 'main' };
    expect((await code.developer.post(branches, made)).body).toEqual({ message: CREATE });
    expect((await code.maintainer.post(branches, made)).body).toMatchObject({ protected: true });
    const refused = await code.developer.delete(`${branches}/side`);
    expect([refused.status, refused.body]).toEqual([403, { message: `403 Forbidden - ${DELETE}` }]);
    expect((await code.maintainer.delete(`${branches}/side`)).status).toBe(204);
  });
});
