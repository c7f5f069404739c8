import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { TracesService } from '#core/ci/traces/traces.service.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { patchTrace } from '../../../support/builders/runner.js';
import { JobDesk } from '../../../support/job-desk.js';

let api: TestApi;
let desk: JobDesk;
beforeAll(async () => {
  api = await startApi();
  desk = await JobDesk.build(api);
});
afterAll(() => api.close());

it('a trace is read once for all requests at the same time that end its job', async () => {
  const job = await desk.run();
  await patchTrace(api, job, '0-4', 'hello');
  const traces = api.app.get(TracesService);
  const readNow = traces.read.bind(traces);
  const read = jest.spyOn(traces, 'read').mockImplementation(async (id) => {
    await sleep(300);
    return readNow(id);
  });
  const checksum = `crc32:${crc32('hello').toString(16).padStart(8, '0')}`;
  await Promise.all(Array.from({ length: 20 }, () => desk.update(job, { state: 'success', checksum })));
  expect(read.mock.calls.length).toBeLessThan(10);
  expect(await desk.row(job)).toMatchObject({ status: 'success' });
});
