import { median } from './load.js';

/** A side of a comparison. */
export interface Side {
  /** CPU that all its processes have used so far, in microseconds. */
  cpu(): number;
  /** Does the work `times` times over. */
  work(times: number): Promise<unknown>;
}

/** The cost of one piece of work, in milliseconds. */
export interface Cost {
  readonly cpu: number;
  readonly wall: number;
}

/** How often the work is done; what ends within `settleMs` after it belongs to it. */
export interface Turns {
  readonly rounds: number;
  readonly times: number;
  readonly settleMs?: number;
}

/** Measures both sides in turns: medians of their rounds. The first round only warms up. */
export async function inTurns(own: Side, theirs: Side | null, turns: Turns): Promise<{ own: Cost; theirs: Cost | null }> {
  const rounds: { own: Cost; theirs: Cost | null }[] = [];
  for (let round = 0; round <= turns.rounds; round += 1) {
    const pair = { own: await costOf(own, turns), theirs: theirs && (await costOf(theirs, turns)) };
    if (round > 0) rounds.push(pair);
  }
  const others = rounds.flatMap(({ theirs: cost }) => (cost ? [cost] : []));
  return { own: middle(rounds.map((round) => round.own)), theirs: others.length > 0 ? middle(others) : null };
}

const middle = (costs: readonly Cost[]): Cost => ({
  cpu: median(costs.map(({ cpu }) => cpu)),
  wall: median(costs.map(({ wall }) => wall)),
});

async function costOf(side: Side, { times, settleMs = 100 }: Turns): Promise<Cost> {
  const [before, begun] = [side.cpu(), performance.now()];
  await side.work(times);
  const wall = (performance.now() - begun) / times;
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return { cpu: (side.cpu() - before) / 1_000 / times, wall };
}
