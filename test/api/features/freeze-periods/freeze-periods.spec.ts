import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CiVariablesRegistry } from '#core/ci/variables/ci-variables.registry.js';
import type { TestApi } from '../../../support/api.js';
import { shaOf } from '../../../support/builders/deployment.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Period {
  readonly id: number;
  readonly created_at: string;
}

const DAY = 86_400_000;
const values = { freeze_start: '0 18 * * 5', freeze_end: '0 6 * * mon', cron_timezone: 'Europe/Berlin' };

/** The expression of one minute of the year, in UTC. */
const minuteOf = (time: number): string => {
  const date = new Date(time);
  const parts = [date.getUTCMinutes(), date.getUTCHours(), date.getUTCDate(), date.getUTCMonth() + 1];
  return `${parts.join(' ')} *`;
};
const toMinute = (time: number): number => Math.floor(time / 60_000) * 60_000;
const iso = (time: number): string => new Date(time).toISOString();

describe('freeze periods', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix: string | number = '', project = team.projectId): string =>
    `/projects/${project}/freeze_periods${suffix === '' ? '' : `/${suffix}`}`;
  const create = async (changes: object = {}): Promise<Period> =>
    (await team.maintainer.post<Period>(at(), { ...values, ...changes })).body;
  const clear = (): Promise<unknown> =>
    api.sql('delete from freeze_periods where project_id = $1', [team.projectId]);

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it('are created, read, listed by time, changed and removed', async () => {
    expect((await team.reporter.get(at())).body).toEqual([]);
    const created = await team.maintainer.post<Period>(at(), { ...values, freeze_start: ' 0 18 * * 5\t' });
    expect(created.status).toBe(201);
    const record = {
      id: expect.any(Number),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      ...values,
    } as object;
    expect(created.body).toEqual(record);
    const second = await team.maintainer.post<Period>(at(), { ...values, cron_timezone: undefined });
    expect(second.body).toMatchObject({ cron_timezone: 'UTC' });
    await api.sql("update freeze_periods set created_at = now() - interval '1 hour' where id = $1", [
      second.body.id,
    ]);

    const list = await team.reporter.get<Period[]>(at());
    expect(list.body.map(({ id }) => id)).toEqual([second.body.id, created.body.id]);
    expect(list.headers.get('x-total')).toBe('2');
    const keyset = await team.reporter.get<Period[]>(
      `${at()}?pagination=keyset&order_by=id&sort=desc&per_page=1`,
    );
    expect(keyset.body.map(({ id }) => id)).toEqual([second.body.id]);
    const next = /<([^>]+)>; rel="next"/.exec(keyset.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await team.reporter.get<Period[]>(next.replace(/^.*(?=\/api)/, ''));
    expect(rest.body.map(({ id }) => id)).toEqual([created.body.id]);

    expect((await team.reporter.get(at(created.body.id))).body).toEqual(record);
    const change = { freeze_end: '0 7 * * 1', cron_timezone: 'Pacific Time (US & Canada)' };
    const changed = await team.maintainer.put(at(created.body.id), change);
    expect([changed.status, changed.body]).toMatchObject([200, { ...values, ...change }]);
    for (const same of [{}, change])
      expect((await team.maintainer.put(at(created.body.id), same)).body).toEqual(changed.body);

    const before = { 'If-Unmodified-Since': new Date(Date.now() - DAY).toUTCString() };
    expect((await team.maintainer.delete(at(created.body.id), before)).status).toBe(412);
    const removed = await team.maintainer.delete(at(created.body.id));
    expect([removed.status, removed.text]).toEqual([204, '']);
    for (const answer of [
      await team.reporter.get(at(created.body.id)),
      await team.maintainer.put(at(created.body.id), values),
      await team.maintainer.delete(at(created.body.id)),
    ])
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Freeze Period Not Found' }]);
    await clear();
  });

  it('require readable times', async () => {
    const missing = await team.maintainer.post(at(), { freeze_start: '* * * * *' });
    expect([missing.status, missing.body]).toEqual([
      400,
      { message: '400 (Bad request) "freeze_end" not given' },
    ]);
    const { id } = await create();
    for (const [body, message] of [
      [{ freeze_start: '0 0 0 * *' }, { freeze_start: ['is invalid syntax'] }],
      [{ freeze_end: '0 0 30 2 *' }, { freeze_end: ['is invalid syntax'] }],
      [{ freeze_end: '* * * * * '.repeat(900) }, { freeze_end: ['is invalid syntax'] }],
      [{ cron_timezone: '../../etc' }, { cron_timezone: ['is invalid syntax'] }],
      [
        { freeze_start: '', cron_timezone: ' ' },
        { freeze_start: ["can't be blank"], cron_timezone: ["can't be blank"] },
      ],
      [{ freeze_start: ['* * * * *'] }, { freeze_start: ['is invalid'] }],
    ] as const) {
      for (const answer of [
        await team.maintainer.post(at(), { ...values, ...body }),
        await team.maintainer.put(at(id), body),
      ])
        expect([answer.status, answer.body]).toEqual([400, { message }]);
    }
    expect((await team.maintainer.put(at(id), { freeze_end: null })).body).toEqual({
      message: { freeze_end: ["can't be blank"] },
    });
    await clear();
  });

  it('are for reporters to read and for maintainers to change', async () => {
    const open = await buildProjectTeam(api, 'public');
    const { id } = await create();
    const requests = [
      ['GET', ''],
      ['GET', 'status'],
      ['GET', id],
      ['GET', 999_999],
      ['POST', ''],
      ['PUT', id],
      ['DELETE', id],
      ['DELETE', 999_999],
    ] as const;
    for (const [method, suffix] of requests) {
      const body = method === 'POST' || method === 'PUT' ? values : undefined;
      const ask = async (client: ProjectTeam['guest'], project: number): Promise<number> =>
        (await client.send(method, at(suffix, project), body)).status;
      const write = method === 'GET' ? undefined : 403;
      expect([method, suffix, await ask(team.guest, team.projectId)]).toEqual([method, suffix, 403]);
      expect(await ask(team.stranger, team.projectId)).toBe(404);
      expect(await ask(open.stranger, open.projectId)).toBe(403);
      expect(await ask(api.anonymous, open.projectId)).toBe(401);
      expect(await ask(team.developer, team.projectId)).toBe(write ?? (suffix === 999_999 ? 404 : 200));
      expect(await ask(team.reporter, team.projectId)).toBe(write ?? (suffix === 999_999 ? 404 : 200));
      // One of another project is not found.
      if (suffix === id) expect(await ask(open.maintainer, open.projectId)).toBe(404);
    }
    await clear();
  });

  it('report whether the project is frozen, and the next change', async () => {
    const status = async (): Promise<unknown> => (await team.reporter.get(at('status'))).body;
    expect(await status()).toEqual({
      frozen: false,
      active: [],
      next: { freeze_start_at: null, freeze_end_at: null },
    });
    const now = toMinute(Date.now());
    const variables = (): Promise<unknown> =>
      api.app
        .get(CiVariablesRegistry)
        .of({ projectId: team.projectId, ref: 'main', protected: false, environment: null, job: null });
    const freeze = { key: 'CI_DEPLOY_FREEZE', value: 'true', public: true, masked: false };

    await create({
      freeze_start: minuteOf(now + 10 * DAY),
      freeze_end: minuteOf(now + 12 * DAY),
      cron_timezone: 'UTC',
    });
    expect(await status()).toEqual({
      frozen: false,
      active: [],
      next: { freeze_start_at: iso(now + 10 * DAY), freeze_end_at: iso(now + 12 * DAY) },
    });
    expect(await variables()).not.toContainEqual(freeze);

    const { id } = await create({
      freeze_start: minuteOf(now - DAY),
      freeze_end: minuteOf(now + DAY),
      cron_timezone: 'UTC',
    });
    const window = { freeze_start_at: iso(now - DAY), freeze_end_at: iso(now + DAY) };
    expect(await status()).toMatchObject({
      frozen: true,
      active: [{ id, ...window }],
      next: { freeze_start_at: iso(now + 10 * DAY), freeze_end_at: iso(now + DAY) },
    });
    expect(await variables()).toContainEqual(freeze);
    await clear();
    expect(await variables()).not.toContainEqual(freeze);
  });

  it('are limited to a thousand', async () => {
    await clear();
    await api.sql(
      "insert into freeze_periods (project_id, freeze_start, freeze_end, cron_timezone) select $1, (n % 60) || ' 0 29 2 *', (n % 24) || ' * * 2 3#5', 'UTC' from generate_series(1, 1000) n",
      [team.projectId],
    );
    const refused = await team.maintainer.post(at(), values);
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: { base: ['a project can have at most 1000 freeze periods'] } },
    ]);
    expect((await team.reporter.get(at('status'))).status).toBe(200);
  });

  describe('where the project enforces them', () => {
    const deployments = (suffix: string | number = ''): string =>
      `/projects/${team.projectId}/deployments${suffix === '' ? '' : `/${suffix}`}`;
    const deployment = {
      environment: 'production',
      sha: shaOf(1),
      ref: 'main',
      tag: false,
      status: 'running',
    };
    const now = toMinute(Date.now());
    let until = '';
    const audits = (): Promise<unknown[]> =>
      api.sql(
        "select details from audit_events where details ->> 'event_name' = 'freeze_period_overridden' and entity_id = $1",
        [team.projectId],
      );

    beforeAll(async () => {
      await clear();
      until = iso(now + 2 * DAY);
      await create({
        freeze_start: minuteOf(now - DAY),
        freeze_end: minuteOf(now + DAY),
        cron_timezone: 'UTC',
      });
      await create({
        freeze_start: minuteOf(now - DAY),
        freeze_end: minuteOf(now + 2 * DAY),
        cron_timezone: 'UTC',
      });
    });

    it('do not affect deployments otherwise', async () => {
      expect((await team.developer.post(deployments(), deployment)).status).toBe(201);
    });

    it('refuse running and successful deployments, with the end of the freeze', async () => {
      expect(
        (await team.maintainer.put(`/projects/${team.projectId}`, { enforce_freeze_periods: true })).status,
      ).toBe(200);
      const refusal = [403, { message: `403 Forbidden - Deployments are frozen until ${until}` }];
      for (const status of ['running', 'success'])
        for (const client of [team.developer, team.maintainer]) {
          const answer = await client.post(deployments(), { ...deployment, status });
          expect([answer.status, answer.body]).toEqual(refusal);
        }
      const { body: failed } = await team.developer.post<Period>(deployments(), {
        ...deployment,
        status: 'failed',
      });
      const changed = await team.developer.put(deployments(failed.id), { status: 'success' });
      expect([changed.status, changed.body]).toEqual(refusal);
      expect((await team.developer.put(deployments(failed.id), { status: 'canceled' })).status).toBe(200);
    });

    it('let maintainers override them with a reason, which is stored', async () => {
      const override = { override_freeze: true, override_reason: 'The shop is down' };
      expect((await team.developer.post(deployments(), { ...deployment, ...override })).status).toBe(403);
      for (const body of [{ override_freeze: true }, { override_freeze: true, override_reason: ' ' }]) {
        const answer = await team.maintainer.post(deployments(), { ...deployment, ...body });
        expect([answer.status, answer.body]).toEqual([
          400,
          { message: '400 (Bad request) "override_reason" not given' },
        ]);
      }
      expect(await audits()).toEqual([]);
      const made = await team.maintainer.post<Period>(deployments(), { ...deployment, ...override });
      expect(made.status).toBe(201);
      const done = await team.maintainer.put(deployments(made.body.id), { status: 'success', ...override });
      expect([done.status, done.body]).toMatchObject([200, { status: 'success' }]);
      // To report the last success again deploys nothing.
      const again = { ...deployment, status: 'success' };
      for (const values of [{ ...again, ...override }, again])
        expect((await team.maintainer.post<Period>(deployments(), values)).body.id).toBe(made.body.id);
      expect(await audits()).toMatchObject([
        {
          details: {
            custom_message: 'Deployed despite a freeze period: The shop is down',
            target_details: 'production',
          },
        },
        {},
      ]);
    });

    it('have no effect once they are over', async () => {
      await clear();
      expect(
        (await team.developer.post(deployments(), { ...deployment, status: 'success', sha: shaOf(2) }))
          .status,
      ).toBe(201);
    });
  });
});
