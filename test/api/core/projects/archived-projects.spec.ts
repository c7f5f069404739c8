import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes, type RouteDescription } from '#kernel/http/routes/route-list.js';
import { AlertSender } from '../../../support/alert-sender.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser } from '../../../support/builders/user.js';

/** Requests that an archived project still accepts. */
const OPEN = [
  'DELETE /api/v4/projects/:id',
  'DELETE /api/v4/projects/:id/alert_management/integrations/:integration_id',
  'DELETE /api/v4/projects/:id/access_tokens/:token_id',
  'DELETE /api/v4/projects/:id/deploy_tokens/:token_id',
  'DELETE /api/v4/projects/:id/error_tracking/client_keys',
  'DELETE /api/v4/projects/:id/error_tracking/client_keys/:key_id',
  'DELETE /api/v4/projects/:id/job_token_scope/allowlist/:target_project_id',
  'DELETE /api/v4/projects/:id/members/:user_id',
  'DELETE /api/v4/projects/:id/share/:group_id',
  'POST /api/v4/projects/:id/archive',
  'POST /api/v4/projects/:id/export_relations',
  'POST /api/v4/projects/:id/restore',
  'POST /api/v4/projects/:id/star',
  'POST /api/v4/projects/:id/unarchive',
  'POST /api/v4/projects/:id/unstar',
  'PUT /api/v4/projects/:id',
  'PUT /api/v4/projects/:id/notification_settings',
  'PUT /api/v4/projects/:id/transfer',
];

describe('an archived project', () => {
  let api: TestApi;
  let sender: AlertSender;
  let path: string;
  beforeAll(async () => {
    api = await startApi();
    sender = await AlertSender.open(api);
    path = `/projects/${sender.project.id}`;
  });
  afterAll(() => api.close());

  it('allows removals, but no additions', async () => {
    const user = await createUser(api);
    const group = await buildGroup(api);
    await buildMember(api, path.slice(1), user.id, 30);
    const made = async (at: string, values: object): Promise<number> => {
      const { status, body } = await api.root.post<{ id: number }>(path + at, values);
      expect([at, status]).toEqual([at, 201]);
      return body.id;
    };
    const token = { name: 'a', scopes: ['api'], access_level: 30 };
    const deployToken = { name: 'a', scopes: ['read_repository'] };
    const tokenId = await made('/access_tokens', token);
    const deployTokenId = await made('/deploy_tokens', deployToken);
    const keyId = await made('/error_tracking/client_keys', {});
    await made('/share', { group_id: group.id, group_access: 10 });
    expect((await api.root.post(`${path}/archive`)).status).toBe(201);

    const added = [
      ['post', '/members', { user_id: 1, access_level: 10 }],
      ['put', `/members/${user.id}`, { access_level: 10 }],
      ['post', '/access_tokens', token],
      ['post', `/access_tokens/${tokenId}/rotate`, {}],
      ['post', '/deploy_tokens', deployToken],
      ['post', '/error_tracking/client_keys', {}],
      ['post', '/share', { group_id: group.id, group_access: 20 }],
      ['post', '/freeze_periods', { freeze_start: '0 1 * * *', freeze_end: '0 2 * * *' }],
      ['post', '/alert_management/integrations', { name: 'a' }],
    ] as const;
    for (const [method, at, values] of added) {
      const { status, body } = await api.root[method](path + at, values);
      expect([at, status, body]).toEqual([at, 403, { message: '403 Forbidden' }]);
    }
    for (const at of [
      `/members/${user.id}`,
      `/access_tokens/${tokenId}`,
      `/deploy_tokens/${deployTokenId}`,
      `/error_tracking/client_keys/${keyId}`,
      `/share/${group.id}`,
    ])
      expect([at, (await api.root.delete(path + at)).status]).toEqual([at, 204]);
    const alert = await sender.raw('{"title":"A"}');
    expect([alert.status, alert.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect((await api.root.post(`${path}/unarchive`)).status).toBe(201);
    expect((await api.root.put(path, { description: 'Again' })).status).toBe(200);
  });

  it('accepts nothing else', () => {
    const name = ({ method, path: at }: RouteDescription): string => `${method} ${at}`;
    const writes = listRoutes(api.app).filter(
      ({ method, path: at, rule }) =>
        rule?.project !== undefined &&
        method !== 'GET' &&
        method !== 'HEAD' &&
        at.startsWith('/api/v4/projects/:id'),
    );
    expect(
      writes
        .filter(({ rule }) => rule?.archived)
        .map(name)
        .sort(),
    ).toEqual([...OPEN].sort());
  });
});
