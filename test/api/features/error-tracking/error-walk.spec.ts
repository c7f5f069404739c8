import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { isComplete } from '../../../support/complete.js';
import { ErrorWalk } from '../../../support/error-walk/error-walk.js';
import { borrowApi } from '../../../support/shared-api.js';

const STEPS = 20;

describe('errors of a project', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it.each(Array.from({ length: isComplete() ? 12 : 2 }, (_, index) => index + 1))(
    'are what a plain model makes of the events and changes: seed %i',
    async (seed) => {
      const walk = await ErrorWalk.start(api, seed);
      for (let step = 0; step < STEPS; step += 1) {
        await walk.step();
        await walk.ask();
        for (const { what, found, expected } of walk.compared.splice(0))
          expect({ step, what, value: found }).toEqual({ step, what, value: expected });
      }
    },
  );
});
