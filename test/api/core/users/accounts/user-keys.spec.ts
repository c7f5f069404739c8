import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { borrowApi } from '../../../../support/shared-api.js';

const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK/baC3p4qFdrF/+l2Qci482XWRlzCYSoW6siBLXpgie';
const FINGERPRINT = 'eD6mXNXYLKpDIuScoWqjuW7+TqsYhVFL3v3FL0NFg7E';
const ECDSA =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBC/IEOYHOwuBdC4Oq4QnDLc0vzGFWVj2x2gqrSNO6RfII9QG9Hw3uNmrIdtmusA3nJRT6wDTRc0u2b/yQ0fwObY= root@vm';
const RSA =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCmF13M8I0PQv79v79osQU+dkc+8e210hFR5gD8gyXIlA73qwazYAEL+dNOYLz7dVUxWtAFg+LBdXnwaUiUbC0ZCOB8ZAF3/6PsiUfo29MP4eMhAc2ADXln7VvYmQZoOxgPGkK11UIxvK0z+kj5cf1YHDyRCUtckl4l2J2OA/YJnmedNXc8qmpxQROBdJoT8HPW/upm/rQi24uM7okyLGS/h2h8ifBhOinQFH9QHYmfGnUyc7+t63kFmIw+VORvKG1gKMxW2FCzIk52tzdxDPEK3XGR6k0pItmgMbOvY0k3zDklRdDfyegBPVTJdHAbip6VL/bHT7KfiPOWEBvPd4Br';

interface KeyBody {
  id: number;
  title: string;
  key: string;
}

describe('SSH keys', () => {
  let api: TestApi;
  let jane: CreatedUser;
  let zoe: CreatedUser;
  beforeAll(async () => {
    api = await borrowApi();
    jane = await createUser(api);
    zoe = await createUser(api);
  });
  afterAll(() => api.close());

  it('are added, shown to everyone and removed', async () => {
    const added = await jane.client.post<KeyBody>('/user/keys', {
      title: 'laptop',
      key: `${ED25519} me@host\n`,
    });
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      id: added.body.id,
      title: 'laptop',
      key: `${ED25519} me@host`,
      usage_type: 'auth_and_signing',
      created_at: expect.any(String) as unknown,
      expires_at: null,
    });
    const [row] = await api.sql('select fingerprint_sha256 from ssh_keys where id = $1', [added.body.id]);
    expect(row).toEqual({ fingerprint_sha256: FINGERPRINT });
    for (const path of ['/user/keys', `/users/${jane.id}/keys`, `/users/${jane.username}/keys`])
      expect((await jane.client.get(path)).body).toEqual([added.body]);
    expect((await zoe.client.get(`/users/${jane.id}/keys`)).body).toEqual([added.body]);
    expect((await zoe.client.get(`/users/${jane.id}/keys/${added.body.id}`)).body).toEqual(added.body);
    expect((await jane.client.get(`/user/keys/${added.body.id}`)).body).toEqual(added.body);
    for (const method of ['GET', 'DELETE']) {
      const foreign = await zoe.client.send(method, `/user/keys/${added.body.id}`);
      expect([foreign.status, foreign.body]).toEqual([404, { message: '404 Key Not Found' }]);
    }
    const old = { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' };
    expect((await jane.client.delete(`/user/keys/${added.body.id}`, old)).status).toBe(412);
    expect((await jane.client.delete(`/user/keys/${added.body.id}`)).status).toBe(204);
    expect((await jane.client.delete(`/user/keys/${added.body.id}`)).status).toBe(404);
    const audits = await api.sql<{ details: Record<string, unknown> }>(
      `select details from audit_events where entity_id = $1 and details ->> 'target_type' = 'Key' order by id`,
      [jane.id],
    );
    expect(audits.map(({ details }) => details['add'] ?? details['remove'])).toEqual(['SSH key', 'SSH key']);
  });

  it('are added and removed by administrators', async () => {
    const expires = '2999-01-01T00:00:00.000Z';
    const added = await api.root.post<KeyBody>(`/users/${zoe.id}/keys`, {
      title: 'rsa',
      key: RSA,
      usage_type: 'signing',
      expires_at: expires,
    });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ usage_type: 'signing', expires_at: expires, key: RSA });
    expect((await api.root.delete(`/users/${jane.id}/keys/${added.body.id}`)).status).toBe(404);
    expect((await api.root.delete(`/users/${zoe.id}/keys/${added.body.id}`)).status).toBe(204);
    expect((await api.root.post('/users/99999/keys', { title: 't', key: RSA })).status).toBe(404);
  });

  it('belong to one user only, also with simultaneous requests', async () => {
    const bodies = await Promise.all([
      jane.client.post('/user/keys', { title: 'mine', key: ECDSA }),
      zoe.client.post('/user/keys', { title: 'mine', key: ECDSA.replace('root@vm', 'other') }),
    ]);
    expect(bodies.map(({ status }) => status).sort()).toEqual([201, 400]);
    const refused = bodies.find(({ status }) => status === 400);
    expect(refused?.body).toEqual({ message: { fingerprint_sha256: ['has already been taken'] } });
  });

  it.each([
    'nonsense',
    'ssh-ed25519',
    'ssh-ed25519 AAAA',
    'ssh-ed25519 !!!!',
    ED25519.slice(0, -4),
    ED25519.replace('ssh-ed25519', 'ssh-rsa'),
    `${ED25519}\n${ED25519}`,
    'ssh-dss AAAAB3NzaC1kc3MAAAA=',
    '__proto__ AAAA',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
  ])('refuse %j', async (key) => {
    const answer = await jane.client.post<{ message: { key: string[] } }>('/user/keys', { title: 't', key });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.message)).toEqual(['key']);
  });

  it('require valid parameters', async () => {
    for (const [body, message] of [
      [{}, '400 (Bad request) "title" not given'],
      [{ title: 't' }, '400 (Bad request) "key" not given'],
      [{ title: '', key: RSA }, { title: ['is empty'] }],
      [{ title: ['a'], key: RSA }, { title: ['is invalid'] }],
      [{ title: 't', key: { a: 1 } }, { key: ['is invalid'] }],
      [{ title: 't', key: RSA, usage_type: 'x' }, { usage_type: ['does not have a valid value'] }],
      [{ title: 't', key: RSA, expires_at: 'soon' }, { expires_at: ['is invalid'] }],
      [{ title: 't', key: RSA, expires_at: '2001-01-01' }, { key: ['has expired'] }],
    ] as const) {
      const answer = await jane.client.post('/user/keys', body);
      expect([answer.status, answer.body]).toEqual([400, { message }]);
    }
    expect((await jane.client.get('/user/keys/x')).status).toBe(400);
    expect((await api.anonymous.post('/user/keys', {})).status).toBe(401);
  });
});
