import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildMember } from '../../../../support/builders/member.js';
import { buildToken } from '../../../../support/builders/token.js';
import { createUser } from '../../../../support/builders/user.js';
import type { ApiClient } from '../../../../support/client.js';
import { gitUrl } from '../../../../support/git-http.js';
import { until } from '../../../../support/until.js';

/** What the model knows of a user. */
interface Person {
  readonly name: string;
  readonly role: number;
  readonly userId: number;
  readonly inGroup: boolean;
  readonly client: ApiClient;
  readonly url: string;
}

/** Who has a right by a protection. */
interface Holders {
  readonly level: number | undefined;
  readonly user: boolean;
  readonly group: boolean;
}

interface Rule {
  readonly push: Holders;
  readonly merge: Holders;
  readonly force: boolean;
}

/** Numbers of protections in the trials, one for each person. */
const TRIALS = [1, 0, 2, 1, 2, 1];
const NONE = '0'.repeat(40);

/** A repeatable sequence of numbers. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Every way to write a branch or tag asks the same protections: a model of its own predicts each of them. */
describe('protected branches and tags', () => {
  let api: TestApi;
  let code: CodeProject;
  let people: Person[];
  let named: number;
  let groupId: number;
  let early: string;
  let late: string;
  let side: string;

  beforeAll(async () => {
    api = await startApi();
    code = await buildCodeProject(api, async (work) => {
      await work.git('checkout', '--quiet', '-b', 'side', 'main~1');
      side = await work.commit({ 'side.txt': 's\n' }, 'On the side');
    });
    [early = '', late = ''] = code.commits;
    groupId = (await buildGroup(api)).id;
    await api.root.post(`/projects/${code.id}/share`, { group_id: groupId, group_access: 30 });
    const person = async (name: string, role: number, inGroup = false): Promise<Person> => {
      const user = await createUser(api);
      await buildMember(api, inGroup ? `groups/${groupId}` : `projects/${code.id}`, user.id, role);
      const { token } = await buildToken(api, user.id);
      const url = gitUrl(api, `/${code.fullPath}.git`, ['git', token]);
      return { name, role, userId: user.id, inGroup, client: user.client, url };
    };
    const { token } = await buildToken(api, 1);
    const url = gitUrl(api, `/${code.fullPath}.git`, ['git', token]);
    people = [
      await person('reporter', 20),
      await person('developer', 30),
      await person('named', 30),
      await person('grouped', 30, true),
      await person('maintainer', 40),
      { name: 'root', role: 60, userId: 1, inGroup: false, client: api.root, url },
    ];
    named = people[2]?.userId ?? 0;
  });
  afterAll(async () => {
    code.work.remove();
    await api.close();
  });

  const at = (rest: string): string => `/projects/${code.id}/${rest}`;
  const refs = async (): Promise<ReadonlyMap<string, string>> => {
    const text = await code.work.git(
      '--git-dir',
      code.repositoryPath,
      'for-each-ref',
      '--format=%(refname) %(objectname)',
    );
    return new Map(text.split('\n').map((line) => line.split(' ') as [string, string]));
  };

  const has = ({ role, userId, inGroup }: Person, { level, user, group }: Holders): boolean =>
    role >= 30 &&
    ((level !== undefined && level > 0 && role >= level) || (user && userId === named) || (group && inGroup));

  const body = ({ push, merge, force }: Rule, name: string): object => ({
    name,
    allow_force_push: force,
    ...of('push', push),
    ...of('merge', merge),
  });
  const of = (kind: string, { level, user, group }: Holders): object => ({
    ...(level === undefined ? {} : { [`${kind}_access_level`]: level }),
    [`allowed_to_${kind}`]: [
      ...(user ? [{ user_id: named }] : []),
      ...(group ? [{ group_id: groupId }] : []),
    ],
  });

  async function trial(count: number, n: number): Promise<void> {
    const random = sequence(7_919 * (n + 1));
    const who = people[n % people.length] as Person;
    const { client } = who;
    const levels = [0, 30, 40, 60] as const;
    const holders = (): Holders => ({
      level: levels[random(4)],
      user: random(2) === 0,
      group: random(2) === 0,
    });
    const rules = Array.from({ length: count }, (): Rule => ({
      push: holders(),
      merge: holders(),
      force: random(2) === 0,
    }));
    const isProtected = rules.length > 0;
    const developer = who.role >= 30;
    const maintainer = who.role >= 40;
    const mayPush = developer && (!isProtected || rules.some(({ push }) => has(who, push)));
    const mayMerge = developer && (!isProtected || mayPush || rules.some(({ merge }) => has(who, merge)));
    const mayForce = mayPush && (!isProtected || rules.some(({ force }) => force));
    const mayRemove = developer && (!isProtected || maintainer);
    const mayTag = developer && (!isProtected || rules.some(({ push }) => has(who, push)));
    const b = (way: string): string => `t${n}-${way}`;

    const starts: Record<string, string> = {
      commit: early,
      file: early,
      pick: early,
      revert: late,
      ff: early,
      force: late,
      forceCall: late,
      remove: side,
      removeGit: side,
      merged: early,
      merge: early,
      rebase: side,
    };
    const lines = Object.entries(starts).map(([way, id]) => `create refs/heads/${b(way)} ${id}\n`);
    lines.push(`create refs/heads/s${n} ${side}\n`);
    lines.push(
      ...['tagRemove', 'tagRemoveGit', 'tagMove'].map((way) => `create refs/tags/${b(way)} ${early}\n`),
    );
    await code.work.pipe(['--git-dir', code.repositoryPath, 'update-ref', '--stdin'], lines.join(''));
    const open = async (source: string, target: string): Promise<number> => {
      const values = { title: 'M', source_branch: source, target_branch: target };
      const made = await api.root.post<{ iid: number }>(at('merge_requests'), values);
      expect(made.status).toBe(201);
      return made.body.iid;
    };
    const toMerge = await open(`s${n}`, b('merge'));
    const toRebase = await open(b('rebase'), 'main');
    const patterns = [`t${n}-*`, `t${n}*`];
    for (const [index, rule] of rules.entries()) {
      const name = patterns[index] ?? '';
      expect((await api.root.post(at('protected_branches'), body(rule, name))).status).toBe(201);
      const tags = {
        name,
        ...(rule.push.level === undefined ? {} : { create_access_level: rule.push.level }),
      };
      const allowed = {
        allowed_to_create: (of('push', rule.push) as { allowed_to_push: object[] }).allowed_to_push,
      };
      expect((await api.root.post(at('protected_tags'), { ...tags, ...allowed })).status).toBe(201);
    }

    const before = await refs();
    const moved: Record<string, boolean> = {};
    const action = { action: 'create', file_path: `f${n}.txt`, content: 'x' };
    const call = at('repository/commits');
    const said = { commit_message: 'By call', actions: [action] };
    await client.post(call, { branch: b('commit'), ...said });
    await client.post(at(`repository/files/g${n}.txt`), {
      branch: b('file'),
      commit_message: 'F',
      content: 'x',
    });
    await client.post(`${call}/${side}/cherry_pick`, { branch: b('pick') });
    await client.post(`${call}/${late}/revert`, { branch: b('revert') });
    await client.post(call, { branch: b('forceCall'), start_sha: side, force: true, ...said });
    await client.post(call, { branch: b('new'), start_branch: 'main', ...said });
    await client.post(at('repository/branches'), { branch: b('newCall'), ref: 'main' });
    await client.delete(at(`repository/branches/${b('remove')}`));
    const push = (spec: string): Promise<unknown> => code.work.run(['push', '--quiet', who.url, spec]);
    await push(`${late}:refs/heads/${b('ff')}`);
    await push(`+${side}:refs/heads/${b('force')}`);
    await push(`${late}:refs/heads/${b('newGit')}`);
    await push(`:refs/heads/${b('removeGit')}`);
    await push(`${late}:refs/tags/${b('tagNewGit')}`);
    await push(`+${late}:refs/tags/${b('tagMove')}`);
    await push(`:refs/tags/${b('tagRemoveGit')}`);
    await client.post(at('repository/tags'), { tag_name: b('tagNew'), ref: 'main' });
    await client.delete(at(`repository/tags/${b('tagRemove')}`));
    await client.put(at(`merge_requests/${toMerge}/merge`));
    const rebased = await client.put(at(`merge_requests/${toRebase}/rebase`));
    if (rebased.status === 202)
      await until(async () => {
        const path = at(`merge_requests/${toRebase}?include_rebase_in_progress=true`);
        return (await api.root.get(path)).body['rebase_in_progress'] === false;
      });
    await client.delete(at('repository/merged_branches'));
    await client.delete(at('repository/branches/main'));
    await push(':refs/heads/main');

    const after = await refs();
    const expected: Record<string, boolean> = {
      commit: mayPush,
      file: mayPush,
      pick: mayPush,
      revert: mayPush,
      ff: mayPush,
      force: mayForce,
      forceCall: mayForce,
      remove: mayRemove,
      removeGit: developer && !isProtected,
      merged: developer && !isProtected,
      merge: mayMerge,
      rebase: mayForce,
      new: mayPush,
      newCall: mayPush,
      newGit: mayPush,
    };
    for (const way of Object.keys(expected)) {
      const ref = `refs/heads/${b(way)}`;
      moved[way] = (before.get(ref) ?? NONE) !== (after.get(ref) ?? NONE);
    }
    const tags: Record<string, boolean> = {
      tagNew: mayTag,
      tagNewGit: mayTag,
      tagMove: maintainer && !isProtected,
      tagRemove: maintainer,
      tagRemoveGit: maintainer && !isProtected,
    };
    for (const way of Object.keys(tags)) {
      const ref = `refs/tags/${b(way)}`;
      moved[way] = (before.get(ref) ?? NONE) !== (after.get(ref) ?? NONE);
    }
    expect({ who: who.name, rules, moved }).toEqual({
      who: who.name,
      rules,
      moved: { ...expected, ...tags },
    });
    expect(after.get('refs/heads/main')).toBe(late);
  }

  it.each(TRIALS.map((count, n) => [count, n] as const))(
    'give each way what a model predicts: %i protections, trial %i',
    trial,
  );
});
