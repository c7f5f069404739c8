import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../support/builders/group.js';
import { buildMember } from '../../support/builders/member.js';
import { buildProjectTeam, type ProjectTeam } from '../../support/builders/project-team.js';
import { createUser, type CreatedUser } from '../../support/builders/user.js';
import { borrowApi } from '../../support/shared-api.js';

interface Entry {
  readonly id: number;
}

/** What an update is given: the path, and values that the object has already. */
interface Update {
  readonly table: string;
  readonly id: number;
  readonly path: string;
  readonly values: object;
  readonly method?: 'PUT' | 'PATCH';
}

describe('an update with the values that an object has', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let group: BuiltGroup;
  let user: CreatedUser;
  const at = (suffix: string): string => `/projects/${team.projectId}/${suffix}`;
  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
    group = await buildGroup(api, { description: 'x' });
    user = await createUser(api);
    await buildMember(api, `projects/${team.projectId}`, user.id, 30);
  });
  afterAll(() => api.close());

  const post = async (path: string, values: object): Promise<Record<string, Entry[]> & Entry> => {
    const { status, body } = await api.root.post<Record<string, Entry[]> & Entry>(path, values);
    expect(status).toBe(201);
    return body;
  };

  const objects: Record<string, () => Promise<Update>> = {
    'a protected branch': async () => {
      const path = at('protected_branches');
      const rights = { push_access_level: 30, allowed_to_merge: [{ user_id: user.id }] };
      const { id, merge_access_levels: merge } = await post(path, { name: 'a', ...rights });
      const again = { allow_force_push: false, allowed_to_merge: [{ id: merge?.[0]?.id, user_id: user.id }] };
      return { table: 'protected_refs', id, path: `${path}/a`, values: again, method: 'PATCH' };
    },
    'a protected branch, for a role that may push to it': async () => {
      const { id } = await post(at('protected_branches'), { name: 'b', push_access_level: 30 });
      const values = { allowed_to_push: [{ access_level: 30 }] };
      return { table: 'protected_refs', id, path: at('protected_branches/b'), values, method: 'PATCH' };
    },
    'a protected environment': async () => {
      const path = at('protected_environments');
      const rules = { deploy_access_levels: [{ access_level: 40 }], approval_rules: [{ user_id: user.id }] };
      const made = await post(path, { name: 'live', required_approval_count: 1, ...rules });
      const [level, rule] = [made['deploy_access_levels']?.[0]?.id, made['approval_rules']?.[0]?.id];
      const values = {
        required_approval_count: 1,
        deploy_access_levels: [{ id: level, access_level: 40 }],
        approval_rules: [{ id: rule, user_id: user.id, required_approvals: 1 }],
      };
      const [row] = await api.sql<Entry>('select id from protected_environments where project_id = $1', [
        team.projectId,
      ]);
      return { table: 'protected_environments', id: row?.id ?? 0, path: `${path}/live`, values };
    },
    'a managed license': async () => {
      const path = at('managed_licenses');
      const { id } = await post(path, { name: 'MIT', approval_status: 'denied' });
      const values = { approval_status: 'denied' };
      return { table: 'managed_licenses', id, path: `${path}/${id}`, values, method: 'PATCH' };
    },
    'an approval rule': async () => {
      const path = at('approval_rules');
      const values = { name: 'Eyes', approvals_required: 1, user_ids: [user.id], group_ids: [] };
      const { id } = await post(path, values);
      return { table: 'approval_rules', id, path: `${path}/${id}`, values };
    },
    'a member': async () => {
      const [row] = await api.sql<Entry>('select id from members where user_id = $1', [user.id]);
      const values = { access_level: 30, expires_at: '' };
      return { table: 'members', id: row?.id ?? 0, path: at(`members/${user.id}`), values };
    },
    'a group': async () => {
      const values = { name: group.name, description: 'x', request_access_enabled: true };
      await api.root.put(`/groups/${group.id}`, values);
      return { table: 'namespaces', id: group.id, path: `/groups/${group.id}`, values };
    },
    'the status of a user': async () => {
      const values = { emoji: 'tea', message: 'Away' };
      const path = '/user/status';
      await api.root.put(path, values);
      return { table: 'users', id: 1, path, values };
    },
  };

  it.each(Object.entries(objects))('leaves the time of the last change: %s', async (_, open) => {
    const { table, id, path, values, method = 'PUT' } = await open();
    const old = '2020-01-01T00:00:00.000Z';
    await api.sql(`update ${table} set updated_at = $1 where id = $2`, [old, id]);
    const answer = await api.root.send(method, path, values);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const [row] = await api.sql<{ updated_at: Date }>(`select updated_at from ${table} where id = $1`, [id]);
    expect(row?.updated_at.toISOString()).toBe(old);
  });
});
