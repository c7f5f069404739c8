import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { beginLargeAnswer } from '#kernel/http/answers/large-answers.js';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { OverBudget } from '#kernel/threads/over-budget.js';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import type { Turns } from '#kernel/threads/turns.js';
import { KeptReportsService } from '#core/ci/reports/kept-reports.service.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { AlertSender } from '../../../support/alert-sender.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildJob, buildPipeline } from '../../../support/builders/ci.js';
import { buildProject } from '../../../support/builders/project.js';
import { buildTrackedProject } from '../../../support/builders/tracked-project.js';
import { sendToIntake, sentEvent } from '../../../support/error-sender.js';
import { HeldRequest } from '../../../support/held-request.js';

const MANY = Array.from({ length: 50_001 }, () => 1);
const TOO_MANY = {
  status: 422,
  body: { message: '422 Unprocessable Entity - the body has more than 50000 values' },
};

let api: TestApi;
let path: string;
let projectId: number;

beforeAll(async () => {
  api = await startApi();
  ({ id: projectId } = await buildProject(api.root));
  path = `/projects/${projectId}`;
});
afterAll(() => api.close());
afterEach(() => {
  jest.restoreAllMocks();
});

describe('the number of values', () => {
  it('is limited in JSON, for any sender', async () => {
    const wide = await api.root.post(`${path}/issues`, { title: 't', labels: MANY });
    expect(wide).toMatchObject(TOO_MANY);
    expect(await api.anonymous.post('/projects', { name: MANY })).toMatchObject(TOO_MANY);
    const text = await api.root.post(`${path}/issues`, { title: 't', description: '[,{'.repeat(50_000) });
    expect(text.status).toBe(201);
  });

  it('is bounded in alerts and events of errors', async () => {
    const sender = await AlertSender.open(api);
    const alert = await fetch(`${api.url}${sender.path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sender.integration.token}` },
      body: JSON.stringify({ title: 't', many: MANY }),
    });
    expect({ status: alert.status, body: await alert.json() }).toEqual(TOO_MANY);
    const tracked = await buildTrackedProject(api.root);
    const event = JSON.stringify(sentEvent({ extra: MANY }));
    expect(await sendToIntake(api.url, tracked, event, { to: 'store/' })).toMatchObject(TOO_MANY);
  });
});

describe('texts of any sender', () => {
  const BLANKS = ' '.repeat(50_000);
  const MOST_CPU_MS = 500;

  it.each([
    ['a time', 'GET /api/v4/projects', { last_activity_after: 'T00:00'.repeat(30_000) }, {}, 400],
    [
      'a client',
      'POST /oauth/token',
      { grant_type: 'refresh_token' },
      { Authorization: `Basic${BLANKS}!` },
      401,
    ],
    ['a range', 'GET', {}, { Range: `bytes=${BLANKS}!`, 'PRIVATE-TOKEN': ROOT_TOKEN }, 200],
  ])(
    'are read in a time that grows with their length: %s',
    async (_name, target, fields, headers, status) => {
      const file = `${path}/packages/generic/tool/1.0.0/a`;
      if (target === 'GET')
        await api.root.send('PUT', file, 'a', { 'Content-Type': 'application/octet-stream' });
      const body = JSON.stringify(fields);
      const type = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
      const begun = process.cpuUsage();
      const at = target === 'GET' ? `GET /api/v4${file}` : target;
      const request = await HeldRequest.begin(api.url, at, { ...type, ...headers }, { body });
      expect(await request.status).toBe(status);
      expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(MOST_CPU_MS);
      request.leave();
    },
  );
});

describe('the budget of a thread', () => {
  const spend = () =>
    jest.spyOn(api.app.get(ThreadsService), 'run').mockRejectedValue(new OverBudget('time'));
  const WORDS = 'it takes more than 10 seconds to process';

  it('is reported where configurations are checked', async () => {
    spend();
    const { status, body } = await api.root.post(`${path}/ci/lint`, { content: 'a: { script: x }' });
    expect([status, body]).toEqual([422, { message: `422 Unprocessable Entity - ${WORDS}` }]);
  });

  it('returns wiki pages unrendered when it is used up', async () => {
    const content = `# <b>\n${'- a\n'.repeat(2_000)}`;
    await api.root.post(`${path}/wikis`, { title: 'long', content });
    const page = async (): Promise<string> =>
      String((await api.root.get(`${path}/wikis/long?render_html=true`)).body['content']);
    expect(await page()).toMatch(/^<h1>&lt;b&gt;<\/h1>\n<ul>/);
    spend();
    expect(await page()).toMatch(/^<pre># &lt;b&gt;\n- a\n/);
  });

  it('applies to short wiki pages with tables that would have many cells', async () => {
    const wide = `${'|a'.repeat(400)}|\n${'|-'.repeat(400)}|\n${'x\n'.repeat(800)}`;
    const plain = '| a | b |\n|---|---|\n| c | d |\n'.padEnd(4_000, 'a line of some text\n');
    for (const [title, content] of Object.entries({ wide, 'old-lines': wide.replaceAll('\n', '\r'), plain }))
      await api.root.post(`${path}/wikis`, { title, content });
    spend();
    const startOf = async (title: string): Promise<string> =>
      String((await api.root.get(`${path}/wikis/${title}?render_html=true`)).body['content']).slice(0, 10);
    for (const title of ['wide', 'old-lines']) expect(await startOf(title)).toBe('<pre>|a|a|');
    expect(await startOf('plain')).toMatch(/^<table>/);
  });

  it('is shared by the tasks of a user, and reported like a rate limit', async () => {
    // One runs, and the maximum number waits.
    const { turns } = api.app.get<unknown, { readonly turns: Turns }>(ThreadsService);
    const taken = Array.from({ length: 9 }, () => turns.take({ owner: 'user:1', isPatient: false }));
    const { status, headers } = await api.root.post(`${path}/ci/lint`, { content: 'a: { script: x }' });
    expect([status, headers.get('retry-after')]).toEqual([429, '5']);
    expect(headers.get('ratelimit-name')).toBe('throttle_task_threads');
    expect(headers.get('ratelimit-remaining')).toBe('0');
    for (const turn of taken) (await turn)();
  });
});

describe('reports of tests', () => {
  let pipeline: Pipeline;
  const keyOf = (name: string): string => `artifacts/${projectId}/${name}`;
  const report = async (name: string, cases: string): Promise<void> => {
    const { id } = await buildJob(api, pipeline, { name, status: 'success' });
    const content = gzipSync(cases);
    await api.app.get(ObjectStorage).put(keyOf(name), content);
    await api.sql(
      `insert into ci_job_artifacts (project_id, job_id, file_type, file_format, filename, size, sha256, object_key)
       values ($1, $2, 'junit', 'gzip', 'junit.xml.gz', $4, '', $3)`,
      [projectId, id, keyOf(name), content.length],
    );
  };
  const read = async (what = 'test_report') =>
    (await api.root.get<{ test_suites: unknown[] }>(`${path}/pipelines/${pipeline.id}/${what}`)).body;

  it('are parsed once, and kept as long as their artifacts', async () => {
    pipeline = await buildPipeline(api, projectId);
    await report('kept', '<testcase name="a" time="2"/>');
    const first = await read();
    expect(first).toMatchObject({ total_time: 2, test_suites: [{ test_cases: [{ name: 'a' }] }] });
    const run = jest.spyOn(api.app.get(ThreadsService), 'run');
    await api.app.get(ObjectStorage).delete(keyOf('kept'));
    expect(await read()).toEqual(first);
    expect(await read('test_report_summary')).toMatchObject({ total: { count: 1, time: 2 } });
    expect(run).not.toHaveBeenCalled();
    await api.sql('delete from ci_job_artifacts');
    expect(await api.sql('select 1 from ci_test_reports')).toEqual([]);
  });

  it('are not stored as the store sends them if that is not all of them', async () => {
    pipeline = await buildPipeline(api, projectId);
    await report('short', '<testcase name="a"/>');
    const store = api.app.get(ObjectStorage);
    const { size } = await store.head(keyOf('short'));
    const whole = await store.whole(keyOf('short'), size);
    await store.put(keyOf('short'), whole.subarray(0, size - 9));
    const suite_error = expect.stringContaining('could not be read') as unknown;
    expect(await read()).toMatchObject({ test_suites: [{ name: 'short', total_count: 0, suite_error }] });
    await store.put(keyOf('short'), whole);
    expect(await read()).toMatchObject({ test_suites: [{ test_cases: [{ name: 'a' }], suite_error: null }] });
    await api.sql('delete from ci_job_artifacts');
  });

  it('are shown up to a number of tests, and those that take too long are not stored', async () => {
    pipeline = await buildPipeline(api, projectId);
    for (const name of ['first', 'second', 'third']) await report(name, '<testcase/>'.repeat(5_001));
    jest.spyOn(api.app.get(ThreadsService), 'run').mockRejectedValueOnce(new OverBudget('time'));
    const spent = { name: 'first', total_count: 0, suite_error: expect.stringContaining('10 seconds') };
    const [first] = (await read('test_report_summary')).test_suites;
    expect(first).toMatchObject(spent);
    const full = { total_count: 0, suite_error: expect.stringContaining('10000 tests') as unknown };
    expect(await read()).toMatchObject({
      total_count: 5_001,
      test_suites: [
        { name: 'first', total_count: 5_001, suite_error: null },
        { name: 'second', ...full, test_cases: [] },
        { name: 'third', ...full },
      ],
    });
  });

  it('are listed for all jobs, and shown for as many as are parallel in one', async () => {
    pipeline = await buildPipeline(api, projectId);
    await report('first', '<testcase name="a"/>');
    await api.sql(
      `insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref, tag, tag_list)
         select project_id, pipeline_id, kind, 'many ' || number, stage, stage_index, status, user_id, ref, tag, tag_list
         from ci_jobs, generate_series(1, 200) number where pipeline_id = $1`,
      [pipeline.id],
    );
    await api.sql(
      `insert into ci_job_artifacts (project_id, job_id, file_type, file_format, filename, size, sha256, object_key)
         select project_id, id, 'junit', 'gzip', 'junit.xml.gz', 1, '', 'artifacts/lost/' || id from ci_jobs
         where pipeline_id = $1 and name like 'many %'`,
      [pipeline.id],
    );
    await api.sql(
      `insert into ci_test_reports (artifact_id, bytes, error, cases, total_time, total_count, success_count, failed_count, skipped_count, error_count)
         select a.id, 100, null, $2, 0, 1, 0, 1, 0, 0 from ci_job_artifacts a join ci_jobs j on j.id = a.job_id
         where j.pipeline_id = $1 and j.name like 'many %'`,
      [pipeline.id, gzipSync('[]')],
    );
    const { test_suites: suites } = await read('test_report_summary');
    expect(suites).toHaveLength(201);
    expect(suites[199]).toMatchObject({ total_count: 1, failed_count: 1, suite_error: null });
    const told = expect.stringContaining('200 jobs') as unknown;
    expect(suites[200]).toMatchObject({ total_count: 0, suite_error: told });
  });

  it('are lost with their file alone, until it is restored', async () => {
    pipeline = await buildPipeline(api, projectId);
    for (const name of ['here', 'gone']) await report(name, '<testcase/>');
    await api.app.get(ObjectStorage).delete(keyOf('gone'));
    const here = { name: 'here', total_count: 1, suite_error: null };
    const told = expect.stringContaining('lost') as unknown;
    const lost = { name: 'gone', total_count: 0, suite_error: told, test_cases: [] };
    expect(await read()).toMatchObject({ total_count: 1, test_suites: [here, lost] });
    await api.app.get(ObjectStorage).put(keyOf('gone'), gzipSync('<testcase/>'));
    expect(await read()).toMatchObject({ total_count: 2 });
  });

  it('are shown up to a size of the answer', async () => {
    pipeline = await buildPipeline(api, projectId);
    const noise = '\x01'.repeat(10_000);
    await report('noise', `<testcase><failure>${noise}</failure></testcase>`.repeat(1_000));
    const tooMuch = {
      total_count: 0,
      suite_error: expect.stringContaining('10485760 bytes'),
      test_cases: [],
    };
    expect((await read()).test_suites).toEqual([expect.objectContaining(tooMuch)]);
  });

  it('wait for the place of large answers that their reader has', async () => {
    pipeline = await buildPipeline(api, projectId);
    await report('large', `<testcase><failure>${'x'.repeat(10_000)}</failure></testcase>`.repeat(100));
    const order: string[] = [];
    const other = new EventEmitter() as unknown as ServerResponse;
    const context = { userId: 1, route: '/', response: other } as RequestContext;
    await requestContext.run(context, beginLargeAnswer);
    const cases = jest.spyOn(api.app.get(KeptReportsService, { strict: false }), 'cases');
    cases.mockImplementationOnce(() => {
      order.push('read');
      return Promise.resolve(new Map<number, Uint8Array>());
    });
    const answered = read();
    // Without a wait it is read long before that; with one it cannot.
    await sleep(500);
    order.push('free');
    other.emit('close');
    await answered;
    expect(order).toEqual(['free', 'read']);
  });
});
