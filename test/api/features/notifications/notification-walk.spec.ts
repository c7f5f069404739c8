import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isComplete } from '../../../support/complete.js';
import { takeRights } from '../../../support/told/told-loss.js';
import { ToldStage } from '../../../support/told/told-stage.js';
import { ToldSteps } from '../../../support/told/told-steps.js';
import type { ToldEvent } from '../../../support/told/told-world.js';

const number = fc.nat(5_039);
const dice = fc.record({ what: number, who: number, whom: number, where: number, how: number });
/** Changes, then an event, and sometimes the loss of a right before its mails are sent. */
const STEP = fc.record({
  changes: fc.array(dice, { maxLength: 2 }),
  event: dice,
  late: fc.option(dice, { freq: 2 }),
});
/** The same steps each time, and any with TESTS_COMPLETE=1. */
const STEPS = isComplete() ? { numRuns: 120 } : { numRuns: 25, seed: 2 };

describe.each(['private', 'public'])('the mails of a walk through %s groups', (visibility) => {
  let stage: ToldStage;
  beforeAll(async () => {
    stage = await ToldStage.build(visibility);
  });
  afterAll(() => stage.close());

  it('reach those whom the rules name, once and at their addresses, and nobody else', async () => {
    const { world } = stage;
    const steps = new ToldSteps(stage);
    await steps.begin();
    for (const step of fc.sample(STEP, STEPS)) {
      for (const change of step.changes) await steps.change(change);
      await stage.mails();
      let event: ToldEvent | null = null;
      let lines: readonly string[] = [];
      const happen = async (): Promise<void> => {
        event = await steps.event(step.event);
        lines = event === null ? [] : world.happened(event);
      };
      const { late } = step;
      let undo = (): Promise<void> => Promise.resolve();
      if (late === null) await happen();
      else
        await stage.between(happen, async () => {
          if (event === null || lines.length === 0) return;
          undo = await takeRights(stage, steps, late, event, lines);
          lines = world.stillTold(lines, event);
        });
      expect({ step, event, told: await stage.told() }).toEqual({ step, event, told: [...lines].sort() });
      await undo();
    }
  });
});
