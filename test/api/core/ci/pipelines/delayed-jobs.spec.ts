import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { borrowApi } from '../../../../support/shared-api.js';

/** How far the clock of the process that creates a pipeline is ahead of the others. */
const AHEAD_MS = 2_000;

describe('delayed jobs', () => {
  let api: TestApi;
  let ci: CiEngine;
  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  it('start in time, even if the clock of the process that wakes them is behind', async () => {
    await ci.configure('a: { script: x, when: delayed, start_in: 1 second }');
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + AHEAD_MS);
    const id = await ci.create().finally(() => clock.mockRestore());
    expect(await ci.state(id)).toBe('pipeline:scheduled a:scheduled');
    await ci.reaches(id, 'pipeline:pending a:pending');
    const [job] = await api.sql<{ late: number }>(
      `select extract(epoch from queued_at - created_at)::float8 as late from ci_jobs where pipeline_id = $1`,
      [id],
    );
    // The watch looks for jobs that lost their wake-up, but only after a minute.
    expect(job?.late).toBeLessThan(45);
  });
});
