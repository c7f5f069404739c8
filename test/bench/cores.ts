import { availableParallelism } from 'node:os';
import type { Effort } from './compare.js';
import { childrenOf, load, median, memoryOf, treeMicroseconds, wholeTreeMicroseconds, type LoadRequest } from './load.js';
import type { Report } from './report.js';
import { startClusterFloor, startProcesses, type Server } from './servers.js';

/** The measured request: the guarded list. */
export interface CoresBench {
  readonly effort: Effort;
  readonly databaseUrl: string;
  readonly folder: string;
  readonly postgresPid: number;
  readonly next: () => LoadRequest;
}

interface Measured {
  readonly perSecond: number;
  readonly failures: number;
  /** CPU of a request, of all processes and of PostgreSQL for it. */
  readonly nodeMicroseconds: number;
  readonly postgresMicroseconds: number;
}

/**
 * The guarded list with 1, 2 and 4 request processes, if there are enough cores, compared with the reference
 * in cluster mode.
 */
export async function measureCores(report: Report, bench: CoresBench): Promise<void> {
  for (const processes of [1, 2, 4]) {
    if (processes > Math.max(2, availableParallelism())) continue;
    const product = await startProcesses(processes, { DATA_DIR: bench.folder, DATABASE_URL: bench.databaseUrl, LOG_LEVEL: 'info' });
    const reference = await startClusterFloor(bench.databaseUrl, processes);
    try {
      await load(reference.url, bench.effort.warmUpSeconds, bench.next);
      await load(product.url, bench.effort.warmUpSeconds, bench.next);
      const rounds: { product: Measured; reference: Measured }[] = [];
      for (let round = 0; round < bench.effort.rounds; round += 1)
        rounds.push({ reference: await measure(reference, bench), product: await measure(product, bench) });
      const middle = (figure: (round: (typeof rounds)[number]) => number): number => median(rounds.map(figure));
      report.add('cores', {
        processes,
        perSecond: Math.round(middle((round) => round.product.perSecond)),
        referencePerSecond: Math.round(middle((round) => round.reference.perSecond)),
        ratio: middle((round) => round.product.perSecond / round.reference.perSecond),
        nodeMicroseconds: Math.round(middle((round) => round.product.nodeMicroseconds)),
        postgresMicroseconds: Math.round(middle((round) => round.product.postgresMicroseconds)),
        referenceNodeMicroseconds: Math.round(middle((round) => round.reference.nodeMicroseconds)),
        pssMbOfEach: childrenOf(product.pid).map((pid) => Math.round(memoryOf(pid, 'Pss'))).join(' '),
        failures: rounds.reduce((sum, round) => sum + round.product.failures + round.reference.failures, 0),
      });
    } finally {
      await Promise.all([product.stop(), reference.stop()]);
    }
  }
}

async function measure(server: Server, { effort, next, postgresPid }: CoresBench): Promise<Measured> {
  const [node, postgres] = [wholeTreeMicroseconds(server.pid), treeMicroseconds(postgresPid)];
  const { perSecond, failures, requests } = await load(server.url, effort.seconds, next, 32);
  return {
    perSecond,
    failures,
    nodeMicroseconds: (wholeTreeMicroseconds(server.pid) - node) / requests,
    postgresMicroseconds: (treeMicroseconds(postgresPid) - postgres) / requests,
  };
}
