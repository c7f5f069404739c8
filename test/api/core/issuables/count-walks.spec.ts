import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { miscounted } from '../../../support/count-walk/count-facts.js';
import { CountWalk } from '../../../support/count-walk/count-walk.js';
import { untilQuiet } from '../../../support/lock-waits.js';
import { runs } from '../../../support/runs.js';
import { borrowApi } from '../../../support/shared-api.js';

const ROUNDS = 30;

describe('numbers that are shown', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it.each(Array.from({ length: runs(4) }, (_, index) => index + 1))(
    'agree with the lists of what they count, whatever people do: seed %i',
    async (seed) => {
      const walk = await CountWalk.start(api, seed);
      for (let round = 0; round < ROUNDS; round += 1) await walk.round();
      await untilQuiet(api);
      const found = await miscounted(walk);
      expect({ found, log: found.length > 0 ? walk.log : [] }).toEqual({ found: [], log: [] });
      expect(walk.taken.size).toBeGreaterThan(10);
    },
  );
});
