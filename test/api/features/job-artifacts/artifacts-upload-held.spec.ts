import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';
import { HeldRequest } from '../../../support/held-request.js';
import { until } from '../../../support/until.js';

const FILE = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbeginning';
const END = '\r\n--x--\r\n';

const field = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

describe('uploads of artifacts that are under way', () => {
  let api: TestApi;
  let pipeline: Pipeline;
  const held: HeldRequest[] = [];
  beforeAll(async () => {
    api = await startApi();
    pipeline = await buildPipeline(api, (await buildProjectTeam(api)).projectId);
  });
  afterEach(() => held.splice(0).forEach((request) => request.leave()));
  afterAll(() => api.close());

  async function begin(body: string, query = ''): Promise<HeldRequest> {
    const { job, token } = await buildRunningJob(api, pipeline);
    const headers = {
      'JOB-TOKEN': token,
      'Content-Type': 'multipart/form-data; boundary=x',
      'Transfer-Encoding': 'chunked',
    };
    const target = `POST /api/v4/jobs/${job.id}/artifacts${query}`;
    const request = await HeldRequest.begin(api.url, target, headers, { body: chunk(body) });
    held.push(request);
    return request;
  }
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

  it('keep what they store, however long they take', async () => {
    Object.assign(api.app.get(ObjectClaims), { renewEveryMs: 20 });
    const request = await begin(FILE, '?artifact_type=sast&artifact_format=raw');
    const claims = `object_claims where object_key like 'artifacts/%'`;
    await until(async () => (await api.sql(`select from ${claims}`)).length === 1);
    await api.sql(`update ${claims.replace('where', `set due_at = now() + interval '1 minute' where`)}`);
    await until(
      async () => (await api.sql(`select from ${claims} and due_at > now() + interval '23 h'`)).length === 1,
    );
    request.send(`${chunk(END)}0\r\n\r\n`);
    expect(await request.status).toBe(201);
  });

  it.each([
    ['the query says a format that is not that of the type', '', '?artifact_type=sast&artifact_format=gzip'],
    ['the form does', field('artifact_type', 'sast') + field('artifact_format', 'gzip') + FILE, ''],
    ['both together do', field('artifact_type', 'sast') + FILE, '?artifact_format=gzip'],
    ['the form says an unknown type', field('artifact_type', 'picture') + FILE, ''],
    ['the form says an invalid expiry', field('expire_in', 'soonish') + FILE, ''],
  ])('are refused before they end if %s', async (_name, body, query) => {
    expect(await (await begin(body, query)).status).toBe(400);
  });

  it('are refused with 503 if the fields of many take too much memory', async () => {
    const fields = Array.from({ length: 100 }, (_, index) => field(`f${index}`, 'x'.repeat(60_000))).join('');
    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1)
      void (await begin(fields + FILE)).status.then((status) => statuses.push(status));
    await until(() => statuses.includes(503));
    for (const request of held.splice(0)) request.leave();
    await until(async () => (await begin(fields + FILE)).isHeld(300));
  });
});
