import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { registerRunner, requestJob, type BuiltRunner } from '../../../support/builders/runner.js';
import { CiEngine } from '../../../support/ci-engine.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const DAY = 86_400_000;
const DEPLOY = 'deploy: { script: x, environment: shop }';

/** The expression of one minute of the year, in UTC. */
const minuteOf = (time: number): string => {
  const date = new Date(time);
  return `${date.getUTCMinutes()} ${date.getUTCHours()} ${date.getUTCDate()} ${date.getUTCMonth() + 1} *`;
};

interface Shown {
  readonly status: string;
  readonly waiting_reason: string | null;
}

describe('jobs that deploy while a freeze is enforced', () => {
  let api: TestApi;
  let ci: CiEngine;
  let runner: BuiltRunner;
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const reason = (days: number): string =>
    `Deployments are frozen until ${new Date(now + days * DAY).toISOString()}`;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
    runner = await registerRunner(api, { project: ci.project.id });
    await ci.put({ auto_cancel_pending_pipelines: 'disabled' });
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    await api.sql('delete from ci_pending_jobs', []);
    await api.sql('delete from freeze_periods', []);
    expect((await ci.put({ enforce_freeze_periods: true })).status).toBe(200);
  });

  const at = (suffix: string): string => `/projects/${ci.project.id}${suffix}`;
  /** Creates a period that is in force and returns its id. */
  const freeze = async (days = 1): Promise<number> => {
    const times = { freeze_start: minuteOf(now - DAY), freeze_end: minuteOf(now + days * DAY) };
    const made = await ci.project.maintainer.post<{ id: number }>(at('/freeze_periods'), times);
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const shown = async (pipeline: number, name = 'deploy'): Promise<Shown> => {
    const { body } = await ci.project.reporter.get<Shown>(at(`/jobs/${await ci.job(pipeline, name)}`));
    return { status: body.status, waiting_reason: body.waiting_reason };
  };
  /** The time that a job waits for has come. */
  const itsTimeHasCome = async (pipeline: number): Promise<void> => {
    const id = await ci.job(pipeline, 'deploy');
    await api.sql('update ci_jobs set scheduled_at = now() where id = $1', [id]);
    await api.sql(
      `update background_jobs set run_at = now() where name = 'ci.start_delayed' and payload ->> 'jobId' = $1::text`,
      [id],
    );
  };
  const play = async (pipeline: number, client: ApiClient, values: object = {}): Promise<Answer> =>
    client.post(at(`/jobs/${await ci.job(pipeline, 'deploy')}/play`), values);
  const audits = (): Promise<{ details: Record<string, string> }[]> =>
    api.sql(
      `select details from audit_events where details ->> 'event_name' = 'freeze_period_overridden' and entity_id = $1`,
      [ci.project.id],
    );
  const WAITS = 'pipeline:scheduled deploy:scheduled';

  it('wait, state the reason, and continue automatically when it ends', async () => {
    await freeze();
    const pipeline = await ci.run(
      `stages: [test, deploy]
test: { stage: test, script: x }
look: { stage: test, script: x, environment: { name: shop, action: verify } }
deploy: { stage: deploy, needs: [], script: x, environment: shop }
after: { stage: deploy, needs: [deploy], script: x }`,
    );
    const others = 'test:pending look:pending';
    expect(await ci.state(pipeline)).toBe(`pipeline:pending ${others} deploy:scheduled after:created`);
    expect(await shown(pipeline)).toEqual({ status: 'scheduled', waiting_reason: reason(1) });
    expect((await shown(pipeline, 'test')).waiting_reason).toBeNull();
    const { body } = await ci.project.reporter.get<object[]>(at('/deployments?environment=shop'));
    expect(body).toMatchObject([{ status: 'created', deployable: { waiting_reason: reason(1) } }]);
    const [due] = await api.sql(
      `select run_at - interval '1 day' < now() + interval '1 hour' as "isThen", run_at > now() + interval '20 hours' as "isLater"
         from background_jobs where name = 'ci.start_delayed' and payload ->> 'jobId' = $1::text`,
      [await ci.job(pipeline, 'deploy')],
    );
    expect(due).toEqual({ isThen: true, isLater: true });
    await api.sql('delete from freeze_periods', []);
    await itsTimeHasCome(pipeline);
    await ci.reaches(pipeline, `pipeline:pending ${others} deploy:pending after:created`);
    expect((await shown(pipeline)).waiting_reason).toBeNull();
  });

  it('keep waiting if another freeze has started meanwhile', async () => {
    await freeze();
    const pipeline = await ci.run(DEPLOY);
    await freeze(2);
    await itsTimeHasCome(pipeline);
    await until(async () => (await shown(pipeline)).waiting_reason === reason(2));
    expect(await ci.state(pipeline)).toBe(WAITS);
  });

  it('continue when the freeze is removed, moved, or no longer enforced', async () => {
    const removed = await freeze();
    const first = await ci.run(DEPLOY);
    expect(await ci.state(first)).toBe(WAITS);
    expect((await ci.project.maintainer.delete(at(`/freeze_periods/${removed}`))).status).toBe(204);
    await ci.reaches(first, 'pipeline:pending deploy:pending');

    const moved = await freeze();
    const second = await ci.create();
    expect(await ci.state(second)).toBe(WAITS);
    const later = { freeze_start: minuteOf(now + 5 * DAY), freeze_end: minuteOf(now + 6 * DAY) };
    expect((await ci.project.maintainer.put(at(`/freeze_periods/${moved}`), later)).status).toBe(200);
    await ci.reaches(second, 'pipeline:pending deploy:pending');

    await freeze();
    const third = await ci.create();
    expect(await ci.state(third)).toBe(WAITS);
    expect((await ci.put({ enforce_freeze_periods: false })).status).toBe(200);
    await ci.reaches(third, 'pipeline:pending deploy:pending');
  });

  it('are withheld from runners if the freeze starts while they are pending', async () => {
    const pipeline = await ci.run(DEPLOY);
    expect(await ci.state(pipeline)).toBe('pipeline:pending deploy:pending');
    await freeze();
    expect((await requestJob(api, runner)).status).toBe(204);
    expect(await ci.state(pipeline)).toBe(WAITS);
    expect(await shown(pipeline)).toEqual({ status: 'scheduled', waiting_reason: reason(1) });
  });

  it('are released only by maintainers, with a reason that is audited', async () => {
    await freeze();
    const pipeline = await ci.run(DEPLOY);
    const { developer, maintainer } = ci.project;
    const override = { override_freeze: true, override_reason: 'The shop is down' };
    const refusal = [403, { message: `403 Forbidden - ${reason(1)}` }];
    for (const [client, values] of [
      [developer, {}],
      [developer, override],
      [maintainer, {}],
    ] as const) {
      const { status, body } = await play(pipeline, client, values);
      expect([status, body]).toEqual(refusal);
    }
    const silent = await play(pipeline, maintainer, { override_freeze: true });
    expect([silent.status, silent.body]).toEqual([
      400,
      { message: '400 (Bad request) "override_reason" not given' },
    ]);
    expect((await play(pipeline, maintainer, { override_freeze: ['x'] })).status).toBe(400);
    expect(
      (await play(pipeline, maintainer, { ...override, override_reason: 'x'.repeat(1001) })).status,
    ).toBe(400);
    expect([await audits(), await ci.state(pipeline)]).toEqual([[], WAITS]);
    const played = await play(pipeline, maintainer, override);
    expect([played.status, played.body]).toMatchObject([200, { status: 'pending', waiting_reason: null }]);
    expect(await audits()).toMatchObject([
      {
        details: {
          custom_message: 'Deployed despite a freeze period: The shop is down',
          target_details: 'deploy (shop)',
          target_type: 'Job',
        },
      },
    ]);
    // The reason is not required a second time.
    expect((await requestJob(api, runner)).body.id).toBe(await ci.job(pipeline, 'deploy'));
    expect(await audits()).toHaveLength(1);
    await ci.end(pipeline, 'deploy', 'failed');
    expect((await ci.act(pipeline, 'deploy', 'retry')).body).toMatchObject({
      status: 'scheduled',
      waiting_reason: reason(1),
    });
  });

  it('also wait when they are played, and later jobs continue after them', async () => {
    await freeze();
    const pipeline = await ci.run(
      `stages: [deploy, after]
deploy: { stage: deploy, script: x, environment: shop, when: manual }
after: { stage: after, script: x, needs: [deploy] }`,
    );
    const played = await play(pipeline, ci.project.developer);
    expect([played.status, played.body]).toMatchObject([
      200,
      { status: 'scheduled', waiting_reason: reason(1), user: { id: ci.project.developerId } },
    ]);
    expect(await ci.state(pipeline)).toBe('pipeline:scheduled deploy:scheduled after:created');
    await ci.project.maintainer.post(at(`/jobs/${await ci.job(pipeline, 'deploy')}/cancel`));
    expect((await shown(pipeline)).status).toBe('canceled');
  });

  it('include bridges, and are not held back by a freeze that is not enforced', async () => {
    await freeze();
    await ci.configure('deploy: { trigger: { include: child.yml }, environment: shop }', {
      'child.yml': 'inner: { script: x }',
    });
    const pipeline = await ci.create();
    expect(await ci.state(pipeline)).toBe(WAITS);
    const { body } = await ci.project.reporter.get<Shown[]>(at(`/pipelines/${pipeline}/bridges`));
    expect(body).toMatchObject([{ status: 'scheduled', waiting_reason: reason(1) }]);
    await ci.put({ enforce_freeze_periods: false });
    await ci.reaches(pipeline, 'pipeline:success deploy:success');
    expect(await ci.state(await ci.run(DEPLOY))).toBe('pipeline:pending deploy:pending');
  });
});
