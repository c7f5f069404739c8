import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobDefinition } from '#core/ci/jobs/definition/job-definition.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { SealedVariablesService } from '#core/ci/jobs/definition/sealed-variables.service.js';
import type { TestApi } from '../../../support/api.js';
import { patchTrace } from '../../../support/builders/runner.js';
import { createUser, clientOf } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { JobQueue } from '../../../support/job-queue.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('traces that show variables', () => {
  let api: TestApi;
  let queue: JobQueue;
  let reporter: ApiClient;
  let developer: ApiClient;

  beforeAll(async () => {
    api = await borrowApi();
  });
  beforeAll(async () => {
    queue = await JobQueue.build(api);
    const member = async (accessLevel: number): Promise<ApiClient> => {
      const { id } = await createUser(api);
      const body = { user_id: id, access_level: accessLevel };
      expect((await api.root.post(`/projects/${queue.code.id}/members`, body)).status).toBe(201);
      return clientOf(api, id);
    };
    reporter = await member(20);
    developer = await member(30);
  });
  afterAll(() => api.close());
  beforeEach(() => queue.clear());

  const variable = (key: string, value: string) => ({ key, value, public: true, masked: false });

  /** Users who may read the trace of a job without any flag of its runner. */
  async function readersOf(
    definition: Partial<JobDefinition> = {},
    on: Partial<Pipeline> = {},
  ): Promise<number[]> {
    const job = await queue.pick({}, definition, on);
    expect((await patchTrace(api, job, '0-5', 'secret', '?debug_trace=false')).status).toBe(202);
    const path = `/projects/${queue.code.id}/jobs/${job.id}/trace`;
    return [(await reporter.get(path)).status, (await developer.get(path)).status];
  }

  const HIDDEN = [403, 200];
  const OPEN = [200, 200];

  it('are hidden if a variable of the configuration says so, and only then', async () => {
    for (const [key, value, readers] of [
      ['CI_DEBUG_TRACE', 'true', HIDDEN],
      ['CI_DEBUG_TRACE', 'TRUE', HIDDEN],
      ['CI_DEBUG_TRACE', '1', HIDDEN],
      ['CI_DEBUG_TRACE', '$OTHER', HIDDEN],
      ['CI_DEBUG_SERVICES', 'true', HIDDEN],
      ['CI_DEBUG_TRACE', 'false', OPEN],
      ['CI_DEBUG_TRACE', '', OPEN],
      ['CI_DEBUG_OTHER', 'true', OPEN],
    ] as const) {
      expect([key, value, await readersOf({ variables: [variable(key, value)] })]).toEqual([
        key,
        value,
        readers,
      ]);
    }
    const twice = [variable('CI_DEBUG_TRACE', 'true'), variable('CI_DEBUG_TRACE', 'false')];
    expect(await readersOf({ variables: twice })).toEqual(OPEN);
  });

  it('are hidden if a variable of the pipeline says so', async () => {
    const sealed = api.app.get(SealedVariablesService, { strict: false });
    const variables = sealed.sealForPipeline([variable('CI_DEBUG_TRACE', 'true')]);
    expect(await readersOf({}, { variables })).toEqual(HIDDEN);
  });

  it('are hidden if a variable of the project, its group or the instance says so', async () => {
    for (const place of [
      `/projects/${queue.code.id}/variables`,
      `/groups/${queue.group}/variables`,
      '/admin/ci/variables',
    ]) {
      const made = await api.root.post(place, { key: 'CI_DEBUG_SERVICES', value: 'true' });
      expect(made.status).toBe(201);
      expect([place, await readersOf()]).toEqual([place, HIDDEN]);
      await api.root.delete(`${place}/CI_DEBUG_SERVICES`);
      expect(await readersOf()).toEqual(OPEN);
    }
  });
});
