import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { addUser } from '../../../support/builders/instance.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const PATH = '/admin/background_jobs';
const QUEUE = 'maintenance';

interface Job {
  readonly id: number;
  readonly state: string;
  readonly payload: string | null;
  readonly error: string | null;
}

let api: TestApi;
let user: ApiClient;
beforeAll(async () => {
  api = await borrowApi();
  user = api.as((await addUser(api, 'somebody')).token);
});
beforeEach(() => api.sql('delete from background_jobs where queue = $1', [QUEUE]));
afterAll(() => api.close());

/** Adds a job and returns its id. */
async function add(state: 'failed' | 'pending', payload: object = {}): Promise<number> {
  const [row] = await api.sql<{ id: number }>(
    `insert into background_jobs (queue, name, payload, state, run_at, failed_at, error_class, error_message)
     values ($1, 'audit.prune-events', $2, $3, now() + interval '1 day', case when $3 = 'failed' then now() end,
       'Error', 'token=abcdefgh1234 refused') returning id`,
    [QUEUE, JSON.stringify(payload), state],
  );
  return row?.id ?? 0;
}

const list = async (query: string): Promise<readonly Job[]> =>
  (await api.root.get<Job[]>(`${PATH}?queue=${QUEUE}&${query}`)).body;

const audited = async (): Promise<unknown[]> =>
  (
    await api.root.get<{ author_id: number; details: { custom_message?: string } }[]>('/audit_events')
  ).body.map(({ author_id: author, details }) => [author, details.custom_message]);

describe('background jobs', () => {
  it('are listed by state and queue, in pages, without their secrets', async () => {
    const [first, later] = [await add('failed', { password: 'hunter22', id: 7 }), await add('pending')];
    const second = await add('failed');
    expect((await list('')).map(({ id, state }) => [id, state])).toEqual([
      [second, 'failed'],
      [later, 'delayed'],
      [first, 'failed'],
    ]);
    expect((await list('state=delayed')).map(({ id }) => id)).toEqual([later]);
    const page = await api.root.get<Job[]>(`${PATH}?state=failed&queue=${QUEUE}&per_page=1&page=2`);
    expect(page.body).toEqual([
      {
        ...{ id: first, queue: QUEUE, name: 'audit.prune-events', state: 'failed', attempt: 0 },
        ...{ run_at: expect.stringMatching(/Z$/), failed_at: expect.stringMatching(/Z$/) },
        ...{ running_seconds: null, correlation_id: null },
        payload: expect.stringMatching(/"id":7/),
        error: expect.stringMatching(/^Error: .* refused$/),
      },
    ]);
    expect(page.text).not.toMatch(/hunter22|abcdefgh1234/);
    expect([page.headers.get('x-total'), page.headers.get('x-next-page')]).toEqual(['2', '']);
    expect((await api.root.get(`${PATH}?queue=mail&state=failed`)).body).toEqual([]);
  });

  it('are retried or discarded once they have failed, and the audit log names the user', async () => {
    const [again, gone, later] = [await add('failed'), await add('failed'), await add('pending')];
    expect((await api.root.delete(`${PATH}/${gone}`)).status).toBe(204);
    expect((await api.root.post(`${PATH}/${again}/retry`)).status).toBe(204);
    await until(async () => (await list('')).every(({ id }) => id === later));
    for (const id of [gone, later, 999_999_999]) {
      expect((await api.root.post(`${PATH}/${id}/retry`)).status).toBe(404);
      expect((await api.root.delete(`${PATH}/${id}`)).body).toEqual({
        message: '404 Background Job Not Found',
      });
    }
    expect((await audited()).slice(0, 2)).toEqual([
      [1, 'Retried background job audit.prune-events'],
      [1, 'Discarded background job audit.prune-events'],
    ]);
  });

  it('are shown and can be discarded if this version does not know their kind or their queue', async () => {
    const queues = async (): Promise<readonly object[]> =>
      (await api.root.get<{ name: string }[]>(`${PATH}/queues`)).body.filter(({ name }) => name === 'former');
    expect(await queues()).toEqual([]);
    const rows = await api.sql<{ id: number }>(
      `insert into background_jobs (queue, name, payload, run_at)
       select queue, 'former.work', '{}', now() + delay * interval '1 day' from (values ('former', 0), ('former', 1), ($1, 0), ($1, 1)) as former(queue, delay)
       returning id`,
      [QUEUE],
    );
    expect(await queues()).toEqual([
      expect.objectContaining({ waiting: 1, delayed: 1, running: 0, failed: 0, paused_at: null }),
    ]);
    // A worker takes one of them now and then, and gives it back.
    for (const { id } of rows) {
      await until(async () => (await api.root.delete(`${PATH}/${id}`)).status === 204);
    }
    expect(await queues()).toEqual([]);
    expect((await audited())[0]).toEqual([1, 'Discarded background job former.work']);
  });

  it('stay where they are while their queue is paused', async () => {
    const standing = async (): Promise<unknown> =>
      (await api.root.get<{ name: string }[]>(`${PATH}/queues`)).body.find(({ name }) => name === QUEUE);
    const counts = { name: QUEUE, running: 0, delayed: 0 };
    const paused = await api.root.post<{ paused_at: string }>(`${PATH}/queues/${QUEUE}/pause`);
    expect([paused.status, paused.body]).toEqual([
      201,
      expect.objectContaining({ ...counts, paused_at: expect.stringMatching(/Z$/) }),
    ]);
    expect((await api.root.post(`${PATH}/queues/${QUEUE}/pause`)).body).toMatchObject({
      paused_at: paused.body.paused_at,
    });
    await api.root.post(`${PATH}/${await add('failed')}/retry`);
    expect(await standing()).toMatchObject({ ...counts, waiting: 1, failed: 0 });
    expect((await list('state=waiting')).map(({ state }) => state)).toEqual(['waiting']);
    const resumed = await api.root.post(`${PATH}/queues/${QUEUE}/resume`);
    expect(resumed.body).toMatchObject({ name: QUEUE, paused_at: null });
    await until(async () => (await list('')).length === 0);
    expect((await audited()).slice(0, 3)).toEqual([
      [1, `Resumed background queue ${QUEUE}`],
      [1, 'Retried background job audit.prune-events'],
      [1, `Paused background queue ${QUEUE}`],
    ]);
  });

  it('are only for administrators', async () => {
    const id = await add('failed');
    const requests = [
      ['GET', PATH],
      ['GET', `${PATH}/queues`],
      ['POST', `${PATH}/${id}/retry`],
      ['DELETE', `${PATH}/${id}`],
      ['POST', `${PATH}/queues/${QUEUE}/pause`],
      ['POST', `${PATH}/queues/${QUEUE}/resume`],
    ] as const;
    for (const [method, path] of requests) {
      expect([method, path, (await api.anonymous.send(method, path)).status]).toEqual([method, path, 401]);
      expect([method, path, (await user.send(method, path)).status]).toEqual([method, path, 403]);
    }
    expect((await list('state=failed')).map((job) => job.id)).toEqual([id]);
  });

  it('are refused with an invalid id, queue or state', async () => {
    for (const id of ['0', '-1', '1.5', '1e3', 'x', "1'%20or%201=1", '9'.repeat(30)]) {
      expect([id, (await api.root.post(`${PATH}/${id}/retry`)).status]).toEqual([id, 400]);
      expect([id, (await api.root.delete(`${PATH}/${id}`)).status]).toEqual([id, 400]);
    }
    for (const query of ['state=handed', 'state[]=failed', 'state=', "queue='--", 'queue[]=mail', 'page=x'])
      expect([query, (await api.root.get(`${PATH}?${query}`)).status]).toEqual([query, 400]);
    for (const act of ['pause', 'resume']) {
      expect((await api.root.post(`${PATH}/queues/nowhere/${act}`)).body).toEqual({
        message: '404 Queue Not Found',
      });
      expect((await api.root.post(`${PATH}/queues/${'x'.repeat(200)}/${act}`)).status).toBe(400);
      expect((await api.root.post(`${PATH}/queues/__proto__%2F../${act}`)).status).toBe(400);
    }
    expect(await api.sql('select name from paused_queues')).toEqual([]);
  });
});
