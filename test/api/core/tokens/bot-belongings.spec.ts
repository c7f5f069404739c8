import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument } from '../../../support/api-document.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { addGroup, addProject } from '../../../support/builders/instance.js';
import { buildResourceToken, buildToken, type BuiltToken } from '../../../support/builders/token.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let project: number;
beforeAll(async () => {
  api = await borrowApi();
  project = await addProject(api, await addGroup(api, 'acme'), 'acme/shop');
});
afterAll(() => api.close());

describe('objects created by a bot', () => {
  type Paths = Record<string, { delete?: { responses: Record<string, { headers?: object }> } }>;
  interface World {
    readonly place: string;
    readonly bot: { readonly id: number; readonly token: string };
    readonly deploy: number;
    readonly runner: string;
  }
  const build = async (place: string, runner: object): Promise<World> => {
    const bot = await buildResourceToken(api.root, place, { access_level: place.startsWith('g') ? 50 : 40 });
    const client = api.as(bot.token);
    const deploy = await client.post<{ id: number }>(`/${place}/deploy_tokens`, {
      name: 'left behind',
      scopes: ['read_repository'],
    });
    const made = await client.post<{ token: string }>('/user/runners', runner);
    expect([deploy.status, made.status]).toEqual([201, 201]);
    return { place, bot, deploy: deploy.body.id, runner: made.body.token };
  };
  const state = async ({ place, deploy, runner }: World): Promise<unknown> => [
    (await api.root.get(`/${place}/deploy_tokens/${deploy}`)).body['revoked'],
    (await api.anonymous.post('/runners/verify', { token: runner })).status,
  ];
  const KEPT = [false, 200];
  const ENDED = [true, 403];
  /** Headers of a response about what was removed with the token: deploy tokens, runners. */
  const told = ({ status, headers }: Answer): unknown[] => [
    status,
    headers.get('x-revoked-deploy-tokens'),
    headers.get('x-deleted-runners'),
  ];

  it('are removed when a user revokes its token, and audited', async () => {
    const ofProject = await build(`projects/${project}`, {
      runner_type: 'project_type',
      project_id: project,
    });
    const { body: acme } = await api.root.get<{ id: number }>('/groups/acme');
    const ofGroup = await build('groups/acme', { runner_type: 'group_type', group_id: acme.id });
    for (const world of [ofProject, ofGroup]) {
      expect(await state(world)).toEqual(KEPT);
      const revoked = await api.root.delete(`/${world.place}/access_tokens/${world.bot.id}`);
      expect([told(revoked), await state(world)]).toEqual([[204, '1', '1'], ENDED]);
      const events = await api.sql<{ text: string; author_id: number }>(
        `select details->>'custom_message' as text, author_id from audit_events order by id desc limit 3`,
      );
      const texts = events.map(({ text }) => text).join('\n');
      expect(texts).toContain(`Revoked deploy token with id ${world.deploy}: the token of the bot`);
      expect(texts).toContain('Unregistered the runner: the token of the bot');
    }
  });

  it('are removed when the token is revoked as a personal one, or after the bot itself revoked it', async () => {
    const runner = { runner_type: 'project_type', project_id: project };
    const first = await build(`projects/${project}`, runner);
    const asPersonal = `/personal_access_tokens/${first.bot.id}`;
    expect(told(await api.root.delete(asPersonal))).toEqual([204, '1', '1']);
    expect(await state(first)).toEqual(ENDED);
    // Tokens that had ended before are not revoked again.
    expect(told(await api.root.delete(asPersonal))).toEqual([204, '0', '0']);
    const second = await build(`projects/${project}`, runner);
    const more = { name: 'one more', scopes: ['read_repository'] };
    expect((await api.as(second.bot.token).post(`/${second.place}/deploy_tokens`, more)).status).toBe(201);
    expect((await api.as(second.bot.token).delete('/personal_access_tokens/self')).status).toBe(204);
    expect(await state(second)).toEqual(KEPT);
    const revoked = await api.root.delete(`/${second.place}/access_tokens/${second.bot.id}`);
    expect(told(revoked)).toEqual([204, '2', '1']);
    expect(await state(second)).toEqual(ENDED);
  });

  it('are reported by the routes that document it', async () => {
    const { paths } = await readDocument<{ paths: Paths }>(api.anonymous);
    const telling = Object.entries(paths).flatMap(([path, { delete: remove }]) =>
      'X-Deleted-Runners' in (remove?.responses['204']?.headers ?? {}) ? [path] : [],
    );
    expect(telling).toEqual([
      '/api/v4/groups/{id}/access_tokens/{token_id}',
      '/api/v4/personal_access_tokens/{id}',
      '/api/v4/projects/{id}/access_tokens/{token_id}',
    ]);
  });

  it('do not exist for the token of a user', async () => {
    const { id } = await buildToken(api, 1, { scopes: ['api'] });
    expect(told(await api.root.delete(`/personal_access_tokens/${id}`))).toEqual([204, '0', '0']);
  });

  it('are kept through rotation', async () => {
    const world = await build(`projects/${project}`, { runner_type: 'project_type', project_id: project });
    const rotated = await api.root.post<BuiltToken>(`/${world.place}/access_tokens/${world.bot.id}/rotate`);
    expect([rotated.status, await state(world)]).toEqual([200, KEPT]);
    await api.sql(`update personal_access_tokens set expires_at = '2020-01-01' where id = $1`, [
      rotated.body.id,
    ]);
    expect(await state(world)).toEqual(KEPT);
  });
});
