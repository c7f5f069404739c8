import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '#kernel/access/roles.js';
import type { TestApi } from '../../../support/api.js';
import type { ApiClient } from '../../../support/client.js';
import { buildImpersonationToken, buildToken } from '../../../support/builders/token.js';
import { buildApplication, buildPair } from '../../../support/builders/oauth.js';
import { buildSession } from '../../../support/builders/session.js';
import { borrowApi } from '../../../support/shared-api.js';

/** A record, and its field that must not be read with a read-only token. */
type Secret = readonly [path: string, field: string];

let api: TestApi;
const secrets: Secret[] = [];
const registration: Secret[] = [];
beforeAll(async () => {
  api = await borrowApi();
  const made = async (path: string, body: object = {}): Promise<number> => {
    const answer = await api.root.post<{ id: number }>(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body.id;
  };
  const group = await made('/groups', { name: 'acme', path: 'acme' });
  const project = await made('/projects', {
    name: 'shop',
    namespace_id: group,
    initialize_with_readme: true,
  });
  const at = `/projects/${project}`;
  registration.push([at, 'runners_token'], [`/groups/${group}`, 'runners_token']);
  registration.push(['/application/settings', 'runners_registration_token']);
  for (const place of [`${at}/variables`, `/groups/${group}/variables`, '/admin/ci/variables']) {
    await made(place, { key: 'DEPLOY_KEY', value: 's3cret-value' });
    secrets.push([place, 'value'], [`${place}/DEPLOY_KEY`, 'value']);
  }
  const integrations = `${at}/alert_management/integrations`;
  const integration = await made(integrations, { type: 'http', name: 'Grafana', active: true });
  secrets.push([integrations, 'token'], [`${integrations}/${integration}`, 'token']);
  await made(`${at}/error_tracking/client_keys`);
  for (const field of ['public_key', 'tracker_dsn', 'sentry_dsn'])
    secrets.push([`${at}/error_tracking/client_keys`, field]);
  const action = { action: 'create', file_path: '.gitlab-ci.yml', content: 'build:\n  script: make' };
  await made(`${at}/repository/commits`, { branch: 'main', commit_message: 'CI', actions: [action] });
  const variables = [{ key: 'TARGET', value: 's3cret-target' }];
  const pipeline = await made(`${at}/pipeline`, { ref: 'main', variables });
  secrets.push([`${at}/pipelines/${pipeline}/variables`, 'value']);
});
afterAll(() => api.close());

/** The field of the record, or of the last record of a list. */
async function read(client: ApiClient, [path, field]: Secret, headers = {}): Promise<unknown> {
  const answer = await client.get<Record<string, unknown> | Record<string, unknown>[]>(path, headers);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  const record = Array.isArray(answer.body) ? answer.body.at(-1) : answer.body;
  return record?.[field];
}

describe('secrets that grant write access', () => {
  it('are null for read-only credentials', async () => {
    const { token } = await buildToken(api, 1, { scopes: ['read_api', 'read_user', 'read_repository'] });
    const acting = await buildImpersonationToken(api, 1, { scopes: ['read_api', 'write_repository'] });
    const application = await buildApplication(api, { scopes: ['read_api'] });
    const { access } = await buildPair(api, application, 1, ['read_api']);
    for (const secret of [...secrets, ...registration]) {
      expect([secret, await read(api.as(token), secret)]).toEqual([secret, null]);
      expect([secret, await read(api.as(acting.token), secret)]).toEqual([secret, null]);
      const lent = await read(api.anonymous, secret, { Authorization: `Bearer ${access}` });
      expect([secret, lent]).toEqual([secret, null]);
    }
  });

  it('are shown to credentials that can write', async () => {
    const { token } = await buildToken(api, 1);
    const session = await buildSession(api, 1);
    for (const secret of [...secrets, ...registration]) {
      const shown = await read(api.as(token), secret);
      expect([secret, shown]).toEqual([secret, expect.stringMatching(/.{8}/)]);
      const headers = { Cookie: `_service_session=${session.secret}` };
      expect(await read(api.anonymous, secret, headers)).toBe(shown);
    }
  });

  it('include registration tokens only for credentials that can create runners', async () => {
    const scopes: Scope[] = ['read_api', 'create_runner'];
    const client = api.as((await buildToken(api, 1, { scopes })).token);
    for (const secret of registration) expect(await read(client, secret)).toMatch(/^GR1348941/);
    for (const secret of secrets) expect([secret, await read(client, secret)]).toEqual([secret, null]);
  });
});
