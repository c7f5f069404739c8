import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { isComplete } from '../../../support/complete.js';
import { EpicModel } from '../../../support/epic-walk/epic-model.js';
import { EpicStage } from '../../../support/epic-walk/epic-stage.js';
import { EpicSteps } from '../../../support/epic-walk/epic-steps.js';
import { EpicUpheavals } from '../../../support/epic-walk/epic-upheavals.js';
import { EpicViews } from '../../../support/epic-walk/epic-views.js';
import { Chance } from '../../../support/hostile/chance.js';
import { borrowApi } from '../../../support/shared-api.js';

const STEPS = isComplete() ? 150 : 50;
const STEPS_A_LOOK = 5;

describe('epics of a tree of groups', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it.each(Array.from({ length: isComplete() ? 12 : 2 }, (_, index) => index + 1))(
    'are what a plain model says, to all and after everything: seed %i',
    async (seed) => {
      const stage = await EpicStage.build(api);
      const model = new EpicModel(stage);
      const chance = new Chance(seed);
      const steps = new EpicSteps(stage, model, chance);
      const upheavals = new EpicUpheavals(stage, model, chance);
      const views = new EpicViews(stage, model);
      const log: string[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        if (chance.oneIn(6)) log.push(await upheavals.next());
        const done = await steps.next();
        if (done) {
          const { what, isAllowed, answer } = done;
          log.push(`${what}: ${answer.status}`);
          const value = { what, isDone: answer.status < 300, text: answer.text.slice(0, 300) };
          expect({ log, ...value }).toMatchObject({ what, isDone: isAllowed });
          expect(answer.status).toBeLessThan(500);
        }
        if (step % STEPS_A_LOOK !== 0) continue;
        const found = await views.differences(chance.of(stage.people));
        expect({ found, log: found.length > 0 ? log : [] }).toEqual({ found: [], log: [] });
      }
    },
  );
});
