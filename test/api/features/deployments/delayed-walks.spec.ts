import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { DelayedWalk } from '../../../support/delayed-walk/delayed-walk.js';
import { runs } from '../../../support/runs.js';
import { borrowApi } from '../../../support/shared-api.js';

const STEPS = 60;

describe('delayed jobs with resources, guarded environments and tokens', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it.each(Array.from({ length: runs(8) }, (_, index) => index + 1))(
    'start, wait and end as the rules say: seed %i',
    async (seed) => {
      const walk = await DelayedWalk.start(api, seed);
      for (let step = 0; step < STEPS; step += 1) {
        await walk.step();
        const found = await walk.contradictions();
        expect({ found, log: found.length > 0 ? walk.log : [] }).toEqual({ found: [], log: [] });
      }
    },
    300_000,
  );
});
