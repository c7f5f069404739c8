import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TestApi } from '../../../support/api.js';
import { isComplete } from '../../../support/complete.js';
import { changeSomething } from '../../../support/planning-walk/changes.js';
import { compareList } from '../../../support/planning-walk/compare.js';
import { compareCounts } from '../../../support/planning-walk/counts.js';
import { QUESTION, questionIn } from '../../../support/planning-walk/questions.js';
import { compareSideLists } from '../../../support/planning-walk/side-lists.js';
import { PlanningStage, type Asker } from '../../../support/planning-walk/stage.js';
import { runs } from '../../../support/runs.js';
import { borrowApi } from '../../../support/shared-api.js';

/** Always the same world and changes, or any with TESTS_COMPLETE=1. */
const SEED = isComplete() ? Date.now() % 1_000_000 : 1;
const ROUNDS = runs(8);
const CHANGES = 20;
const ASKERS: readonly Asker[] = ['root', 'anonymous', 0, 1, 2, 3, 4, 5];

let api: TestApi;
let stage: PlanningStage;
beforeAll(async () => {
  api = await borrowApi();
  stage = await PlanningStage.build(api, SEED);
});
afterAll(() => api.close());

it('shows in lists and counts of planning what single records say, after any changes', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = `seed ${SEED}, round ${round}`;
    await fc.assert(
      fc.asyncProperty(QUESTION, (asked) => compareList(stage, questionIn(stage, asked))),
      { numRuns: runs(200), seed: SEED + round },
    );
    const askers = isComplete() ? ASKERS : [stage.one(ASKERS), stage.one(ASKERS)];
    for (const compare of [compareCounts, compareSideLists]) {
      const { found, expected } = await compare(stage, askers);
      expect([from, found]).toEqual([from, expected]);
    }
    for (let change = 0; change < CHANGES; change += 1) await changeSomething(stage);
    await stage.read();
  }
});
