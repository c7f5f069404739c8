import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildTrackedProject, type TrackedProject } from '../../../support/builders/tracked-project.js';
import {
  COLLECTOR,
  envelopeOf,
  sendToIntake,
  sentEvent,
  type Sending,
} from '../../../support/error-sender.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let project: TrackedProject;
beforeAll(async () => {
  api = await borrowApi();
  project = await buildTrackedProject(api.root);
});
afterAll(() => api.close());

const send = (
  body: string | Buffer,
  sending: Sending = {},
  to: Pick<TrackedProject, 'id' | 'key'> = project,
): ReturnType<typeof sendToIntake> => sendToIntake(api.url, to, body, sending);

const countStored = async (): Promise<number> => {
  const text = 'select count(*)::int as stored from error_tracking_events where project_id = $1';
  return (await api.sql<{ stored: number }>(text, [project.id]))[0]?.stored ?? -1;
};

describe('the right to send errors', () => {
  const event = (): string => envelopeOf([['event', sentEvent()]]);

  it('is granted by a key in the query, in a header, or in the first line of the envelope', async () => {
    const asHeader = `Sentry sentry_key=${project.key}, sentry_version=7, sentry_client=sentry.python/1.9.10`;
    for (const headers of [{ 'X-Sentry-Auth': asHeader }, { Authorization: asHeader }]) {
      expect((await send(event(), { key: null, headers })).status).toBe(200);
      expect((await send(JSON.stringify(sentEvent()), { key: null, headers, to: 'store/' })).status).toBe(
        200,
      );
    }
    const dsn = `http://${project.key}@forgeplane.test/api/v4/error_tracking/collector/${project.id}`;
    const body = envelopeOf([['event', sentEvent()]], { dsn });
    expect((await send(body, { key: null })).status).toBe(200);
    const token = await send(body, {
      key: null,
      headers: { Authorization: 'Bearer glpat-nobody-has-this-token' },
    });
    expect(token.status).toBe(200);
  });

  it('is refused with 401 without a key of the project', async () => {
    const other = await buildTrackedProject(api.root);
    const dsn = (key: string): string =>
      envelopeOf([['event', sentEvent()]], { dsn: `https://${key}@f.test/1` });
    const before = await countStored();
    for (const [body, key] of [
      [event(), null],
      [dsn('glet_wrong'), null],
      [dsn(other.key), null],
      [dsn(project.key), 'glet_wrong'],
      [event(), other.key],
      [event(), ''],
      [event(), `${project.key}\0`],
      [event(), `${project.key} `],
      [event(), "' or true --"],
      [event(), 'x'.repeat(5_000)],
    ] as const) {
      const answer = await send(body, { key });
      expect([key, answer.status, answer.body]).toEqual([key, 401, { message: '401 Unauthorized' }]);
    }
    const missing = await send(JSON.stringify(sentEvent()), { key: null, to: 'store/' });
    expect(missing.status).toBe(401);
    expect(await countStored()).toBe(before);
  });

  it('ends immediately when the key is disabled or removed', async () => {
    const own = await buildTrackedProject(api.root);
    const status = async (): Promise<number> => (await send(event(), {}, own)).status;
    expect(await status()).toBe(200);
    await api.sql('update error_tracking_client_keys set active = false where id = $1', [own.keyId]);
    expect(await status()).toBe(401);
    await api.sql('update error_tracking_client_keys set active = true where id = $1', [own.keyId]);
    expect(await status()).toBe(200);
    expect(
      (await api.root.delete(`/projects/${own.id}/error_tracking/client_keys/${own.keyId}`)).status,
    ).toBe(204);
    expect(await status()).toBe(401);
  });

  it('is refused with 404 where errors are not tracked', async () => {
    const own = await buildTrackedProject(api.root);
    const settings = `/projects/${own.id}/error_tracking/settings`;
    const expectGone = async (id: number | string): Promise<void> => {
      for (const to of ['envelope/', 'store/']) {
        const answer = await send(event(), { to }, { ...own, id: id as number });
        expect([id, answer.status, answer.body]).toEqual([id, 404, { message: '404 Project Not Found' }]);
      }
    };
    await api.root.put(settings, { active: false, integrated: true });
    await expectGone(own.id);
    await api.root.put(settings, { active: true, integrated: false });
    await expectGone(own.id);
    await api.root.put(settings, { active: true, integrated: true });
    expect((await send(event(), {}, own)).status).toBe(200);
    await expectGone((await buildProject(api.root)).id);
    for (const id of [
      '0',
      '-1',
      '1e3',
      'x',
      '999999999',
      '9'.repeat(15),
      '9'.repeat(40),
      '%20',
      `${own.id}.0`,
    ])
      await expectGone(id);
    await api.sql('update projects set pending_delete = true where id = $1', [own.id]);
    await expectGone(own.id);
  });

  it('does not extend to an archived project', async () => {
    const own = await buildTrackedProject(api.root);
    await api.root.post(`/projects/${own.id}/archive`);
    const answer = await send(event(), {}, own);
    expect([answer.status, answer.body]).toEqual([403, { message: '403 Forbidden' }]);
    const dsn = (key: string): string =>
      envelopeOf([['event', sentEvent()]], { dsn: `https://${key}@forge.test/1` });
    expect((await send(dsn(own.key), { key: null }, own)).status).toBe(403);
    // A caller without a key learns nothing about it.
    for (const body of [dsn('wrong'), event()])
      expect((await send(body, { key: null }, own)).status).toBe(401);
    expect((await send(event(), { key: null, to: 'store/' }, own)).status).toBe(401);
  });
});

describe('browsers', () => {
  const path = (): string => `${COLLECTOR}/${project.id}/envelope/?sentry_key=${project.key}`;
  const EXPOSED = 'X-Sentry-Error, X-Sentry-Rate-Limits, Retry-After';

  it('may send from any page, and read the headers that SDKs need', async () => {
    const headers = { Origin: 'https://shop.test', Cookie: '_gitlab_session=x' };
    for (const [key, status] of [
      [project.key, 200],
      ['wrong', 401],
    ] as const) {
      const answer = await send(envelopeOf([['event', sentEvent()]]), { key, headers });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toBe(EXPOSED);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('may send preflight requests', async () => {
    for (const root of [COLLECTOR, '/errortracking/api/v1/projects/api']) {
      const answer = await fetch(`${api.url}${path().replace(COLLECTOR, root)}`, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://shop.test',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'x-sentry-auth, content-encoding, authorization, content-type',
        },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
      expect(answer.headers.get('access-control-allow-headers')).toContain('x-sentry-auth');
      expect(answer.headers.get('access-control-max-age')).toBe('7200');
    }
    const plain = await fetch(`${api.url}${path()}`, { method: 'OPTIONS' });
    expect([plain.status, plain.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  });
});
