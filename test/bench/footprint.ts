import { childrenOf, median, memoryOf } from './load.js';
import type { Figures } from './report.js';
import { startProduct, temporaryFolder, type Server } from './servers.js';

/** Resident memory of the process and the share of PostgreSQL, in MB. */
export async function measureMemory(when: string, product: Server, postgresPid: number): Promise<Figures> {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const postgres = [postgresPid, ...childrenOf(postgresPid)].reduce((sum, pid) => sum + memoryOf(pid, 'Pss'), 0);
  return { when, nodeRssMb: Math.round(memoryOf(product.pid)), postgresPssMb: Math.round(postgres) };
}

/** Start of everything in one process, embedded database included, to the first answer: the first time and later. */
export async function measureStart(): Promise<Figures> {
  const folder = temporaryFolder();
  const starts: number[] = [];
  try {
    for (let round = 0; round < 6; round += 1) {
      const product = await startProduct({ DATA_DIR: folder.path, LOG_LEVEL: 'warn' });
      starts.push(product.readyAfterMs);
      await product.stop();
    }
  } finally {
    folder.remove();
  }
  return { firstMs: Math.round(starts[0] ?? 0), laterMs: Math.round(median(starts.slice(1))), bar: '<= 2500 later' };
}
