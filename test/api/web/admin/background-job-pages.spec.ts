import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { addUser } from '../../../support/builders/instance.js';
import { buildBrowser } from '../../../support/builders/session.js';
import type { PageClient } from '../../../support/page-client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const PATH = '/admin/background_jobs';
const QUEUE = 'maintenance';
const HOSTILE = `<script>alert('1')</script>`;
const ESCAPED = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;';

let api: TestApi;
let admin: PageClient;
let user: PageClient;
beforeAll(async () => {
  api = await borrowApi();
  admin = await buildBrowser(api, 1);
  user = await buildBrowser(api, (await addUser(api, 'somebody')).id);
});
beforeEach(() => api.sql('delete from background_jobs where queue = $1', [QUEUE]));
afterAll(() => api.close());

/** Adds a job that has failed and returns its id. */
async function addFailed(payload: object = {}, error = 'refused'): Promise<number> {
  const [row] = await api.sql<{ id: number }>(
    `insert into background_jobs (queue, name, payload, state, failed_at, error_class, error_message)
     values ($1, 'audit.prune-events', $2, 'failed', now(), 'Error', $3) returning id`,
    [QUEUE, JSON.stringify(payload), error],
  );
  return row?.id ?? 0;
}

const idsOf = async (): Promise<number[]> =>
  (await api.sql<{ id: number }>('select id from background_jobs where queue = $1', [QUEUE])).map(
    ({ id }) => id,
  );

describe('the page of background jobs', () => {
  it('shows queues and jobs, escaped and without secrets, by state and queue', async () => {
    const id = await addFailed({ label: HOSTILE, password: 'hunter22' }, HOSTILE);
    const { status, text } = await admin.get(`${PATH}?state=failed&queue=${QUEUE}`);
    expect(status).toBe(200);
    expect(text).toContain(`audit.prune-events <span class="whole">${id}</span>`);
    expect(text.split(ESCAPED)).toHaveLength(3);
    expect(text).not.toMatch(/<script>|hunter22/);
    expect(text).toContain(`action="${PATH}/queues/mail/pause"`);
    expect((await admin.get(`${PATH}?state=running&queue=${QUEUE}`)).text).toContain(
      'No jobs match this filter.',
    );
    expect((await admin.get('/admin/applications')).text).toContain(`href="${PATH}"`);
  });

  it('shows many jobs in pages that keep the filter', async () => {
    for (let index = 0; index < 3; index += 1) await addFailed();
    const { text } = await admin.get(`${PATH}?state=failed&queue=${QUEUE}&per_page=2`);
    expect(text).toMatch(new RegExp(`${PATH}\\?state=failed&amp;queue=${QUEUE}&amp;page=2&amp;per_page=2`));
  });

  it('retries and discards failed jobs, and returns to the list', async () => {
    const [again, gone] = [await addFailed(), await addFailed()];
    await admin.get(`${PATH}?state=failed`);
    const discarded = await admin.submit(`${PATH}/${gone}?state=failed`, { _method: 'delete' });
    expect([discarded.status, discarded.location]).toEqual([303, `${PATH}?state=failed`]);
    expect((await admin.get(PATH)).text).toContain('The job has been discarded.');
    expect((await admin.submit(`${PATH}/${again}/retry`)).location).toBe(PATH);
    await until(async () => (await idsOf()).length === 0);
    expect((await admin.submit(`${PATH}/${again}/retry`)).status).toBe(404);
  });

  it('pauses and resumes a queue', async () => {
    await admin.get(PATH);
    expect((await admin.submit(`${PATH}/queues/${QUEUE}/pause`)).status).toBe(303);
    expect((await admin.get(PATH)).text).toMatch(/The queue is paused[\s\S]*Paused<\/span> since \d{4}/);
    expect((await admin.submit(`${PATH}/queues/${QUEUE}/resume`)).status).toBe(303);
    expect((await admin.get(PATH)).text).not.toContain('Paused</span>');
    expect((await admin.submit(`${PATH}/queues/nowhere/pause`)).status).toBe(404);
  });

  it('changes nothing for others, or without the token of the form', async () => {
    const id = await addFailed();
    await user.get('/-/profile');
    for (const [path, fields] of [
      [`${PATH}/${id}/retry`, {}],
      [`${PATH}/${id}`, { _method: 'delete' }],
      [`${PATH}/queues/${QUEUE}/pause`, {}],
    ] as const) {
      expect([path, (await user.submit(path, fields)).status]).toEqual([path, 403]);
      expect([path, (await admin.submit(path, { ...fields, authenticity_token: 'x' })).status]).toEqual([
        path,
        422,
      ]);
    }
    expect((await user.get(PATH)).status).toBe(403);
    expect(await idsOf()).toEqual([id]);
    expect(await api.sql('select name from paused_queues')).toEqual([]);
  });
});
