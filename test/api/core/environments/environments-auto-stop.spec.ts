import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { StopDueEnvironmentsJob } from '#core/environments/stop/stop-due-environments.job.js';
import type { TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser } from '../../../support/builders/user.js';
import { CiEngine } from '../../../support/ci-engine.js';
import type { ApiClient } from '../../../support/client.js';
import { untilBlocking, untilIdle } from '../../../support/lock-waits.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const WITH_STOP = `
deploy:
  script: x
  environment: { name: NAME, on_stop: stop }
stop:
  script: x
  when: manual
  environment: { name: NAME, action: stop }
`;

const WITH_STOPS = `
deploy: { script: x, environment: { name: both, on_stop: stop } }
deploy-docs: { script: x, environment: { name: both, on_stop: stop-docs } }
.stop: { script: x, when: manual, environment: { name: both, action: stop } }
stop: { extends: .stop }
stop-docs: { extends: .stop }
`;

const DUE = `now() - interval '1 second'`;
const LATER = `now() + interval '1 hour'`;

describe('environments with stop jobs', () => {
  let api: TestApi;
  let ci: CiEngine;
  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  const deploy = async (name: string, client: ApiClient = ci.project.developer): Promise<number> => {
    await ci.configure(WITH_STOP.replaceAll('NAME', name));
    const { body } = await client.post<{ id: number }>(`/projects/${ci.project.id}/pipeline`, {
      ref: 'main',
    });
    await ci.end(body.id, 'deploy', 'success');
    return body.id;
  };
  const stopAt = (name: string, time: string): Promise<unknown> =>
    api.sql(`update environments set auto_stop_at = ${time} where project_id = $1 and name = $2`, [
      ci.project.id,
      name,
    ]);
  const shown = async (name: string): Promise<string> => {
    const [row] = await api.sql<{ state: string; hasTime: boolean }>(
      `select state, auto_stop_at is not null as "hasTime" from environments where project_id = $1 and name = $2`,
      [ci.project.id, name],
    );
    return `${row?.state ?? ''} ${row?.hasTime === true ? 'until its time' : 'for good'}`;
  };
  const stopDue = (): Promise<unknown> =>
    api.app.get(Transactions).run((tx) => api.app.get(Jobs).enqueue(tx, StopDueEnvironmentsJob, {}));
  /** Deploys as a user who is then blocked, or leaves as given. */
  const deployAsLeaver = async (name: string, leave?: (id: number) => Promise<unknown>): Promise<number> => {
    const leaver = await createUser(api);
    await buildMember(api, `projects/${ci.project.id}`, leaver.id, 30);
    const pipeline = await deploy(name, leaver.client);
    await (leave?.(leaver.id) ?? api.root.post(`/users/${leaver.id}/block`));
    return pipeline;
  };

  it('continue to run when they are due if the user who deployed is blocked', async () => {
    const pipeline = await deployAsLeaver('left');
    await stopAt('left', DUE);
    await stopDue();
    await until(async () => (await shown('left')) === 'available for good');
    expect(await ci.state(pipeline)).toContain('stop:manual');
  });

  it('continue to run when they are due if the user who deployed is no longer a developer', async () => {
    const member = (id: number): string => `/projects/${ci.project.id}/members/${id}`;
    const ways = {
      removed: (id: number) => api.root.delete(member(id)),
      demoted: (id: number) => api.root.put(member(id), { access_level: 20 }),
    };
    await api.sql(`update projects set visibility = 'public' where id = $1`, [ci.project.id]);
    for (const [name, leave] of Object.entries(ways)) {
      const pipeline = await deployAsLeaver(name, leave);
      await stopAt(name, DUE);
      await stopDue();
      await until(async () => (await shown(name)).endsWith('for good'));
      expect([name, await shown(name)]).toEqual([name, 'available for good']);
      expect(await ci.state(pipeline)).toContain('stop:manual');
    }
  });

  it('remain due while their project is to be deleted', async () => {
    await deploy('restored');
    await ci.project.developer.post(`/projects/${ci.project.id}/environments`, { name: 'sentinel' });
    for (const name of ['restored', 'sentinel']) await stopAt(name, DUE);
    const mark = (time: string): Promise<unknown> =>
      api.sql(`update projects set marked_for_deletion_at = ${time} where id = $1`, [ci.project.id]);
    await mark('now()');
    await stopDue();
    await until(async () => (await shown('sentinel')) === 'stopped for good');
    expect(await shown('restored')).toBe('available until its time');
    await mark('null');
    await stopDue();
    await until(async () => (await shown('restored')) === 'stopping for good');
  });

  it('continue to run if they are deployed to again while others are stopped', async () => {
    await deploy('first');
    const kept = await deploy('again');
    await deployAsLeaver('again-left');
    await ci.project.developer.post(`/projects/${ci.project.id}/environments`, { name: 'last' });
    for (const name of ['first', 'again', 'again-left', 'last']) await stopAt(name, DUE);
    await untilIdle(api);
    const runner = api.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`select 1 from environments where project_id = $1 and name = 'first' for update`, [
        ci.project.id,
      ]);
      await stopDue();
      await untilBlocking(api, runner);
      for (const name of ['again', 'again-left']) await stopAt(name, LATER);
      await runner.commitTransaction();
    } finally {
      await runner.release();
    }
    await until(async () => (await shown('last')) === 'stopped for good');
    expect(await shown('first')).toBe('stopping for good');
    expect(await shown('again')).toBe('available until its time');
    expect(await shown('again-left')).toBe('available until its time');
    expect(await ci.state(kept)).toContain('stop:manual');
  });

  it('are stopping until their job ends, whatever becomes of those of older pipelines', async () => {
    const older = await deploy('twice');
    const newer = await deploy('twice');
    const [row] = await api.sql<{ id: number }>(
      `select id from environments where project_id = $1 and name = 'twice'`,
      [ci.project.id],
    );
    await ci.project.developer.post(`/projects/${ci.project.id}/environments/${row?.id ?? 0}/stop`);
    expect(await shown('twice')).toBe('stopping for good');
    expect((await ci.act(older, 'stop', 'cancel')).status).toBe(201);
    expect(await shown('twice')).toBe('stopping for good');
    await ci.end(newer, 'stop', 'failed');
    expect(await shown('twice')).toBe('available for good');
  });

  it('play all their stop jobs, or none if one cannot be played', async () => {
    const pipeline = await ci.run(WITH_STOPS);
    await ci.end(pipeline, 'deploy', 'success');
    await ci.end(pipeline, 'deploy-docs', 'success');
    await api.sql(
      `update ci_jobs set status = 'failed', failure_reason = 'deployment_rejected' where id = $1`,
      [await ci.job(pipeline, 'stop-docs')],
    );
    const [row] = await api.sql<{ id: number }>(
      `select id from environments where project_id = $1 and name = 'both'`,
      [ci.project.id],
    );
    const stop = `/projects/${ci.project.id}/environments/${row?.id ?? 0}/stop`;
    expect((await ci.project.developer.post(stop)).status).toBe(400);
    expect(await ci.state(pipeline)).toContain('stop:manual stop-docs:failed');
    expect(await shown('both')).toBe('available for good');
    await api.sql(`update ci_jobs set failure_reason = 'script_failure' where id = $1`, [
      await ci.job(pipeline, 'stop-docs'),
    ]);
    expect((await ci.project.developer.post(stop)).status).toBe(200);
    expect(await ci.state(pipeline)).toContain('stop:pending stop-docs:pending');
    expect(await shown('both')).toBe('stopping for good');
  });
});
