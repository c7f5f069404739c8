import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildToken } from '../../../support/builders/token.js';
import { createUser } from '../../../support/builders/user.js';
import { CiEngine } from '../../../support/ci-engine.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('administrators in admin mode', () => {
  let api: TestApi;
  let ci: CiEngine;
  /** Developers of the project, both administrators; the tokens of one user. */
  let plain: ApiClient;
  let full: ApiClient;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
    const { id } = await createUser(api, { admin: true });
    await buildMember(api, `projects/${ci.project.id}`, id, 30);
    plain = api.as((await buildToken(api, id, { scopes: ['api'] })).token);
    full = api.as((await buildToken(api, id, { scopes: ['api', 'admin_mode'] })).token);
    await ci.configure('work: { script: make }');
    await full.put('/application/settings', { admin_mode: true });
  });
  afterAll(async () => {
    await full.put('/application/settings', { admin_mode: false });
    await api.close();
  });

  const at = (suffix: string): string => `/projects/${ci.project.id}${suffix}`;
  const statuses = async (ask: (client: ApiClient) => Promise<{ status: number }>): Promise<number[]> => [
    (await ask(plain)).status,
    (await ask(full)).status,
  ];

  it('deploy to protected environments only with the scope admin_mode', async () => {
    const sha = await ci.configure('work: { script: make }');
    await ci.project.maintainer.post(at('/environments'), { name: 'production' });
    await ci.project.maintainer.post(at('/protected_environments'), {
      name: 'production',
      deploy_access_levels: [{ access_level: 40 }],
    });
    const deployment = { environment: 'production', sha, ref: 'main', tag: false, status: 'running' };
    expect(await statuses((client) => client.post(at('/deployments'), deployment))).toEqual([403, 201]);
    const { body } = await plain.get<{ id: number }[]>(at('/environments'));
    const path = at(`/environments/${body[0]?.id ?? 0}`);
    expect(await statuses((client) => client.put(path, { external_url: 'https://x.test' }))).toEqual([
      403, 200,
    ]);
    expect(await statuses((client) => client.post(`${path}/stop`))).toEqual([403, 200]);
  });

  it('run pipelines on protected branches only with the scope admin_mode', async () => {
    const { maintainer } = ci.project;
    await maintainer.delete(at('/protected_branches/main'));
    await maintainer.post(at('/protected_branches'), {
      name: 'main',
      push_access_level: 40,
      merge_access_level: 40,
    });
    expect(await statuses((client) => client.post(at('/pipeline'), { ref: 'main' }))).toEqual([400, 201]);
    const tried = { content: 'work: { script: make }', dry_run: true, ref: 'main' };
    const lints = [plain, full].map((client) => client.post<{ valid: boolean }>(at('/ci/lint'), tried));
    expect((await Promise.all(lints)).map(({ body }) => body.valid)).toEqual([false, true]);
  });

  it('see the groups of approval rules only with the scope admin_mode', async () => {
    const group = await buildGroup(api, { visibility: 'private' });
    const rule = { name: 'hidden', approvals_required: 1, group_ids: [group.id] };
    expect((await full.post(at('/approval_rules'), rule)).status).toBe(201);
    const found = await Promise.all(
      [plain, full].map((client) => client.get<{ groups: object[] }[]>(at('/approval_rules'))),
    );
    expect(found.map(({ body }) => body.map(({ groups }) => groups.length))).toEqual([[0], [1]]);
  });
});
