import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { contradictions } from '../../../support/ci-walk/pipeline-facts.js';
import { PipelineWalk } from '../../../support/ci-walk/pipeline-walk.js';
import { untilQuiet } from '../../../support/lock-waits.js';
import { runs } from '../../../support/runs.js';
import { borrowApi } from '../../../support/shared-api.js';

const ROUNDS = 20;

describe('pipelines that runners and users change at once', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  const check = async (walk: PipelineWalk): Promise<void> => {
    await untilQuiet(api);
    const found = await contradictions(walk);
    expect({ found, log: found.length > 0 ? walk.log : [] }).toEqual({ found: [], log: [] });
  };

  it.each(Array.from({ length: runs(2) }, (_, index) => index + 1))(
    'follow the rules, and come to an end: seed %i',
    async (seed) => {
      const walk = await PipelineWalk.start(api, seed);
      for (let round = 0; round < ROUNDS; round += 1) {
        await walk.round();
        await check(walk);
      }
      await walk.finish();
      await check(walk);
      expect(walk.handedOut.size).toBeGreaterThan(0);
    },
  );
});
