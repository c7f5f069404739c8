import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildDeployment, shaOf, type BuiltDeployment } from '../../../support/builders/deployment.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

const SHA = 'a91957a858320c0e17f3a0eca7cfacbff50ea29a';
const values = { environment: 'production', sha: SHA, ref: 'main', tag: false, status: 'success' };

describe('deployments', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix: string | number = ''): string =>
    `/projects/${team.projectId}/deployments${suffix === '' ? '' : `/${suffix}`}`;

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  describe('creating', () => {
    it('returns the deployment with its user and its environment', async () => {
      const answer = await team.developer.post(at(), { ...values, environment: 'review/one' });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({
        iid: expect.any(Number) as unknown,
        ref: 'main',
        sha: SHA,
        status: 'success',
        user: { state: 'active', avatar_url: null },
        environment: { name: 'review/one', external_url: null },
        deployable: null,
        pending_approval_count: 0,
        approvals: [],
        approval_summary: { rules: [] },
      });
      expect((await team.maintainer.post(at(), values)).status).toBe(201);
    });

    it.each(['environment', 'sha', 'ref', 'tag', 'status'])('requires %s', async (name) => {
      const answer = await team.developer.post(at(), { ...values, [name]: undefined });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message: `400 (Bad request) "${name}" not given` });
    });

    it.each([
      [{ environment: '' }, { environment: ['is empty'] }],
      [{ sha: ' ' }, { sha: ['is empty'] }],
      [{ ref: '' }, { ref: ['is empty'] }],
      [{ tag: 'perhaps' }, { tag: ['is invalid'] }],
      [{ status: 'created' }, { status: ['does not have a valid value'] }],
      [{ status: 'blocked' }, { status: ['does not have a valid value'] }],
      [{ environment: '/x' }, { environment: [expect.stringContaining('can contain only letters')] }],
      [{ environment: 'a'.repeat(300) }, { environment: ['is too long (maximum is 255 characters)'] }],
      [{ sha: 'a91957a8' }, { sha: ['The commit does not exist'] }],
      [
        { sha: 'x'.repeat(40), ref: 'a..b' },
        { sha: ['The commit does not exist'], ref: ['The branch or tag does not exist'] },
      ],
      [{ sha: ['a'] }, { sha: ['is invalid'] }],
    ])('refuses %j', async (change, message) => {
      const answer = await team.developer.post(at(), { ...values, ...change });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message });
    });

    it('returns the last success when it is repeated, and only then', async () => {
      const environment = 'repeated';
      const post = async (change: object = {}): Promise<number> => {
        const answer = await team.developer.post<BuiltDeployment>(at(), {
          ...values,
          environment,
          ...change,
        });
        expect(answer.status).toBe(201);
        return answer.body.id;
      };
      const first = await post();
      expect(await post()).toBe(first);
      expect(await post({ sha: SHA.toUpperCase() })).toBe(first);
      const others = [
        await post({ status: 'failed' }),
        await post({ status: 'failed' }),
        await post({ tag: true }),
        await post(),
        await post({ ref: 'other' }),
      ];
      expect(new Set([first, ...others]).size).toBe(6);
    });

    it('creates one deployment for identical simultaneous requests', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => team.developer.post(at(), { ...values, environment: 'storm' })),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    });

    it('gives iids without gaps, and one environment per name, to 50 simultaneous requests', async () => {
      const own = await buildProjectTeam(api);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          own.developer.post<BuiltDeployment>(`/projects/${own.projectId}/deployments`, {
            ...values,
            sha: shaOf(index + 1),
            environment: index % 5 === 0 ? '/refused' : 'New One',
          }),
        ),
      );
      const made = answers.filter(({ status }) => status === 201).map(({ body }) => body);
      expect(made).toHaveLength(40);
      expect(made.map(({ iid }) => iid).sort((a, b) => a - b)).toEqual(made.map((_, index) => index + 1));
      expect(new Set(made.map(({ environment }) => environment.id)).size).toBe(1);
      const byId = [...made].sort((a, b) => a.id - b.id).map(({ iid }) => iid);
      expect(byId).toEqual(made.map((_, index) => index + 1));
    });
  });

  describe('roles', () => {
    it('lets reporters read, developers write and maintainers remove', async () => {
      const { id } = await buildDeployment(team.developer, team.projectId, { environment: 'roles' });
      const codes = async (client: ProjectTeam['guest']): Promise<number[]> => [
        (await client.get(at())).status,
        (await client.get(at(id))).status,
        (await client.get(at(`${id}/merge_requests`))).status,
        (await client.post(at(), values)).status,
        (await client.put(at(id), { status: 'success' })).status,
        (await client.delete(at(id))).status,
      ];
      expect(await codes(team.guest)).toEqual([403, 403, 403, 403, 403, 403]);
      expect(await codes(team.reporter)).toEqual([200, 200, 200, 403, 403, 403]);
      expect(await codes(team.developer)).toEqual([200, 200, 200, 201, 200, 403]);
      expect(await codes(team.maintainer)).toEqual([200, 200, 200, 201, 200, 400]);
      expect(await codes(team.stranger)).toEqual([404, 404, 404, 404, 404, 404]);
      expect(await codes(api.anonymous)).toEqual([401, 401, 401, 401, 401, 401]);
    });

    it('shows a public project to all signed-in users', async () => {
      const open = await buildProjectTeam(api, 'public');
      const path = `/projects/${open.projectId}/deployments`;
      expect((await open.stranger.get(path)).status).toBe(200);
      expect((await open.guest.get(path)).status).toBe(200);
      expect((await open.stranger.post(path, values)).status).toBe(403);
      expect((await api.anonymous.get(path)).status).toBe(401);
    });

    it('treats a deployment of another project like one that does not exist', async () => {
      const other = await buildProjectTeam(api);
      const { id } = await buildDeployment(other.developer, other.projectId);
      for (const wanted of [id, 0, 4_000_000_000]) {
        for (const answer of [
          await team.maintainer.get(at(wanted)),
          await team.maintainer.get(at(`${wanted}/merge_requests`)),
          await team.maintainer.put(at(wanted), { status: 'failed' }),
          await team.maintainer.delete(at(wanted)),
        ]) {
          expect(answer.status).toBe(404);
          expect(answer.body).toEqual({ message: '404 Deployment Not Found' });
        }
      }
      expect((await team.maintainer.get(at('x'))).status).toBe(400);
    });

    it('shows nothing of approvals on the free plan', async () => {
      const { id } = await buildDeployment(team.developer, team.projectId, { environment: 'free' });
      await api.sql(`update application_settings set license_plan = 'free', version = version + 1`);
      try {
        const [one, all] = [await team.reporter.get(at(id)), await team.reporter.get<object[]>(at())];
        for (const record of [one.body, ...all.body]) {
          expect(record).not.toHaveProperty('approvals');
          expect(record).not.toHaveProperty('approval_summary');
          expect(record).not.toHaveProperty('pending_approval_count');
        }
      } finally {
        await api.sql(`update application_settings set license_plan = 'ultimate', version = version + 1`);
      }
      const [record] = (await team.reporter.get<object[]>(at())).body;
      expect(record).toMatchObject({ approvals: [], approval_summary: { rules: [] } });
    });
  });

  describe('updating', () => {
    const finishedAt = async (id: number): Promise<Date | null> => {
      const rows = await api.sql<{ finished_at: Date | null }>(
        'select finished_at from deployments where id = $1',
        [id],
      );
      return rows[0]?.finished_at ?? null;
    };

    it('allows any status to change to any of the four, and sets finished_at', async () => {
      const { id } = await buildDeployment(team.developer, team.projectId, {
        environment: 'updated',
        status: 'running',
      });
      for (const status of ['success', 'running', 'failed', 'canceled', 'success', 'failed', 'running']) {
        const answer = await team.developer.put(at(id), { status });
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({ id, status, approvals: [] });
        expect((await finishedAt(id)) === null).toBe(status === 'running');
      }
      await api.sql(`update deployments set status = 'blocked', finished_at = null where id = $1`, [id]);
      expect((await team.developer.put(at(id), { status: 'canceled' })).body['status']).toBe('canceled');
    });

    it('changes nothing if the status is already set', async () => {
      const made = await buildDeployment(team.developer, team.projectId, { environment: 'same' });
      const before = await finishedAt(made.id);
      const answer = await team.developer.put(at(made.id), { status: 'success' });
      expect(answer.status).toBe(200);
      expect(answer.body['updated_at']).toBe(made.updated_at);
      expect(await finishedAt(made.id)).toEqual(before);
    });

    it('requires one of the four statuses', async () => {
      const { id } = await buildDeployment(team.developer, team.projectId, { environment: 'same' });
      expect((await team.developer.put(at(id), {})).body).toEqual({
        message: '400 (Bad request) "status" not given',
      });
      expect((await team.developer.put(at(id), { status: 'blocked' })).body).toEqual({
        message: { status: ['does not have a valid value'] },
      });
    });
  });

  describe('removing', () => {
    it('keeps running deployments and the current one', async () => {
      const environment = 'removing';
      const build = (status: string): Promise<BuiltDeployment> =>
        buildDeployment(team.developer, team.projectId, { environment, status });
      const [first, second, failed, running] = [
        await build('success'),
        await build('success'),
        await build('failed'),
        await build('running'),
      ];
      const refusedRunning = await team.maintainer.delete(at(running.id));
      expect(refusedRunning.status).toBe(400);
      expect(refusedRunning.body).toEqual({ message: '400 Cannot destroy running deployment' });
      const refusedLast = await team.maintainer.delete(at(second.id));
      expect(refusedLast.status).toBe(400);
      expect(refusedLast.body).toEqual({ message: '400 Deployment currently deployed to environment' });
      for (const { id } of [failed, first]) {
        const answer = await team.maintainer.delete(at(id));
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toBe('application/json');
        expect(answer.body).toEqual({ message: '204 Deployment destroyed' });
        expect((await team.maintainer.get(at(id))).status).toBe(404);
      }
      const next = await build('failed');
      expect(next.iid).toBe(running.iid + 1);
    });

    it('respects If-Unmodified-Since', async () => {
      const { id } = await buildDeployment(team.developer, team.projectId, { status: 'failed' });
      const old = { 'If-Unmodified-Since': new Date(Date.now() - 3_600_000).toUTCString() };
      const answer = await team.maintainer.delete(at(id), old);
      expect(answer.status).toBe(412);
      expect(answer.body).toEqual({ message: '412 Precondition Failed' });
      const now = { 'If-Unmodified-Since': new Date(Date.now() + 1_000).toUTCString() };
      expect((await team.maintainer.delete(at(id), now)).status).toBe(200);
    });

    it('never removes the last success of an environment, even with simultaneous requests', async () => {
      const environment = 'contested';
      const made: BuiltDeployment[] = [];
      for (let index = 0; index < 6; index += 1) {
        made.push(await buildDeployment(team.developer, team.projectId, { environment }));
      }
      const last = made.at(-1);
      const answers = await Promise.all([
        team.developer.put(at(last?.id ?? 0), { status: 'failed' }),
        ...made.slice(0, -1).map(({ id }) => team.maintainer.delete(at(id))),
      ]);
      expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
      const left = await team.reporter.get<BuiltDeployment[]>(
        `${at()}?environment=${environment}&status=success`,
      );
      const refused = answers.filter(({ status }) => status === 400).length;
      expect(left.body).toHaveLength(refused);
    });
  });
});
