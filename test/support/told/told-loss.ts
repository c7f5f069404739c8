import type { ToldStage } from './told-stage.js';
import type { Dice, ToldSteps } from './told-steps.js';
import { pick } from './told-text.js';
import { PLACES, type ToldEvent } from './told-world.js';

/** Takes from a user who is about to be told of an event what they need for it, and returns what gives it back. */
export async function takeRights(
  { world, api }: ToldStage,
  steps: ToldSteps,
  { what, who, whom, how }: Dice,
  { item }: ToldEvent,
  lines: readonly string[],
): Promise<() => Promise<void>> {
  const user = Number.parseInt(pick(lines, who), 10);
  const { root } = api;
  const step = (kind: number, change: Partial<Dice>): Promise<void> =>
    steps.change({ what: kind, who: user, whom, where: 0, how: 0, ...change });
  const member = async (level: number): Promise<void> => {
    for (const [where, place] of PLACES.entries())
      if (world.person(user).roles.has(place)) await step(1, { where, how: level });
  };
  const isPart = what % 6 === 3;
  switch (what % 6) {
    case 0:
      await member(0);
      break;
    case 1:
      await member(1);
      break;
    case 2:
      await step(4, { how, whom: 0 });
      break;
    case 3:
      await step(6, { where: item.kind === 'issue' ? 0 : how, how: 3 });
      break;
    case 4:
      await steps.hide(item);
      break;
    default:
      await step(2, { where: how % 2 === 0 ? 0 : 1, how: 0 });
  }
  return async () => {
    if (isPart) for (const where of [0, 1, 2]) await step(6, { where, how: 0 });
    if (!world.person(user).isActive) {
      for (const verb of ['unblock', 'activate']) await root.post(`/users/${world.person(user).id}/${verb}`);
      world.person(user).isActive = true;
    }
    await step(1, { where: user, how: user + 1 });
  };
}
