import { cpuMicroseconds, load, median, treeMicroseconds, type LoadRequest, type Round } from './load.js';
import type { Server } from './servers.js';

/** Two servers measured in turns on the same kind of request. */
export interface Comparison {
  readonly name: string;
  readonly reference: number;
  readonly product: number;
  /** Product by reference, median of the rounds' own ratios: rounds minutes apart cannot be compared here. */
  readonly ratio: number;
  /** CPU of a request: of the process, and of PostgreSQL for it. */
  readonly nodeMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly referenceNodeMicroseconds: number;
  readonly referencePostgresMicroseconds: number;
  readonly p99: number;
  readonly failures: number;
}

/** Length of the measurement. */
export interface Effort {
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** Measures `product` against `reference` in alternating rounds. */
export async function compare(
  name: string,
  effort: Effort,
  reference: { server: Server; next: () => LoadRequest },
  product: { server: Server; next: () => LoadRequest },
  postgresPid: number,
): Promise<Comparison> {
  await load(reference.server.url, effort.warmUpSeconds, reference.next);
  await load(product.server.url, effort.warmUpSeconds, product.next);
  const references: Measured[] = [];
  const products: Measured[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    references.push(await measured(reference, effort.seconds, postgresPid));
    products.push(await measured(product, effort.seconds, postgresPid));
  }
  return {
    name,
    reference: median(references.map((round) => round.perSecond)),
    product: median(products.map((round) => round.perSecond)),
    ratio: median(products.map((round, index) => round.perSecond / (references[index]?.perSecond ?? 1))),
    nodeMicroseconds: median(products.map((round) => round.node)),
    postgresMicroseconds: median(products.map((round) => round.postgres)),
    referenceNodeMicroseconds: median(references.map((round) => round.node)),
    referencePostgresMicroseconds: median(references.map((round) => round.postgres)),
    p99: median(products.map((round) => round.p99)),
    failures: [...products, ...references].reduce((sum, round) => sum + round.failures, 0),
  };
}

type Measured = Round & { readonly node: number; readonly postgres: number };

async function measured(
  { server, next }: { server: Server; next: () => LoadRequest },
  seconds: number,
  postgresPid: number,
): Promise<Measured> {
  const node = cpuMicroseconds([server.pid]);
  const postgres = treeMicroseconds(postgresPid);
  const round = await load(server.url, seconds, next);
  return {
    ...round,
    node: (cpuMicroseconds([server.pid]) - node) / round.requests,
    postgres: (treeMicroseconds(postgresPid) - postgres) / round.requests,
  };
}

/** Measures one kind of request separately, for figures to be compared. */
export async function measure(effort: Effort, server: Server, nexts: readonly (() => LoadRequest)[]): Promise<number[]> {
  for (const next of nexts) await load(server.url, Math.min(2, effort.warmUpSeconds), next);
  const rounds = nexts.map(() => [] as number[]);
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [index, next] of nexts.entries()) rounds[index]?.push((await load(server.url, effort.seconds, next)).perSecond);
  }
  return rounds.map(median);
}

/** A server on its own database. */
export interface Sized {
  readonly server: Server;
  readonly postgresPid: number;
}

/** CPU microseconds of a request, of the process and of PostgreSQL together, and by how much the large database is dearer. */
export interface Growth {
  readonly small: number;
  readonly large: number;
  readonly dearer: number;
}

/**
 * The cost of a request of each kind on a small and on a large database, in alternating rounds: minutes apart
 * the same request may cost twice as much here. `dearer` is the median of the ratios of the rounds.
 */
export async function measureGrowth(effort: Effort, nexts: readonly (() => LoadRequest)[], small: Sized, large: Sized): Promise<Growth[]> {
  const rounds = nexts.map(() => [] as { small: number; large: number }[]);
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const [index, next] of nexts.entries())
      rounds[index]?.push({ small: await cost(effort, next, small), large: await cost(effort, next, large) });
  }
  return rounds.map((pairs) => ({
    small: Math.round(median(pairs.map((pair) => pair.small))),
    large: Math.round(median(pairs.map((pair) => pair.large))),
    dearer: median(pairs.map((pair) => pair.large / pair.small)),
  }));
}

async function cost(effort: Effort, next: () => LoadRequest, { server, postgresPid }: Sized): Promise<number> {
  await load(server.url, effort.warmUpSeconds, next);
  const { node, postgres, failures } = await measured({ server, next }, effort.seconds, postgresPid);
  if (failures > 0) throw new Error(`${failures} requests failed, such as ${next().path}`);
  return node + postgres;
}
