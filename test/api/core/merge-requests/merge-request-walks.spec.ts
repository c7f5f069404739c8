import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { MergeFacts } from '../../../support/merge-walk/merge-facts.js';
import { MergeWalk } from '../../../support/merge-walk/merge-walk.js';
import { runs } from '../../../support/runs.js';
import { borrowApi } from '../../../support/shared-api.js';

const ROUNDS = 8;

describe('merge requests that users, pushes and runners change at once', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it.each(Array.from({ length: runs(4) }, (_, index) => index + 22))(
    'follow their branches and the rules: seed %i',
    async (seed) => {
      const walk = await MergeWalk.start(api, seed);
      const facts = new MergeFacts(walk);
      const check = async (): Promise<void> => {
        await walk.untilQuiet();
        const found = await facts.contradictions();
        expect({ found, log: found.length > 0 ? walk.log : [] }).toEqual({ found: [], log: [] });
        walk.log.push('-');
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        await walk.round();
        await check();
      }
      await walk.end();
      await check();
      walk.work.remove();
    },
  );
});
