import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEPT_LIMITS } from '#core/repositories/git/kept/kept-gits.js';
import { WorkingCopy } from '../support/git.js';
import { gitUrl } from '../support/git-http.js';
import { Installation, type Member } from '../support/installation.js';
import { ROOT_TOKEN } from '../support/processes.js';
import { Holdings, type Held } from '../support/holdings.js';
import { MixedLoad } from '../support/mixed-load.js';

/** An hour when run manually (`SOAK_MINUTES=60`); CI has only time for a short run. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 3);
const LANES = 2;
/** Pause of a lane between two pieces of work. */
const PAUSE_MS = 300;
const SAMPLES = 40;

describe('mixed load for a while', () => {
  let installation: Installation;
  let product: Member;
  let holdings: Holdings;
  const work = new WorkingCopy();
  beforeAll(async () => {
    holdings = new Holdings();
    installation = await Installation.create();
    product = await installation.start('all', { TMPDIR: holdings.temporary });
    await product.client.put('/application/settings', { issues_create_limit: 0, notes_create_limit: 0 });
    await work.init();
    await work.commit({ 'a.txt': 'a', '.gitlab-ci.yml': 'job: { script: [ls] }\n' });
  });
  afterAll(async () => {
    await installation.close();
    work.remove();
    holdings.remove();
  });

  it(
    'does not increase memory, handles, temporary files or processes',
    async () => {
      const project = await product.client.post<{ id: number }>('/projects', { name: 'soak' });
      const url = gitUrl(product, '/root/soak.git', ['root', ROOT_TOKEN]);
      await work.git('push', '-q', url, 'HEAD:refs/heads/main');
      const load = new MixedLoad(product, project.body.id, work, url);
      const end = Date.now() + MINUTES * 60_000;
      const lanes = Array.from({ length: LANES }, async (_, lane) => {
        for (let round = lane; Date.now() < end; round += LANES) {
          await load.piece(round);
          await sleep(PAUSE_MS);
        }
      });
      const samples: Held[] = [];
      while (Date.now() < end) {
        await sleep((MINUTES * 60_000) / SAMPLES);
        samples.push(holdings.look(product));
      }
      await Promise.all(lanes);
      process.stdout.write(`${JSON.stringify(load.outcomes)}\n`);
      for (const sample of samples) process.stdout.write(`${JSON.stringify(sample)}\n`);
      const refused = Object.keys(load.outcomes).filter((outcome) => !/ (20[01]|done|left)$/.test(outcome));
      expect(refused).toEqual(['unknown 404']);
      // The first quarter is for caches and pools to fill.
      const quarter = SAMPLES / 4;
      const early = middle(samples.slice(quarter, 2 * quarter));
      const late = middle(samples.slice(3 * quarter));
      expect(late.memoryMiB).toBeLessThan(early.memoryMiB * 1.15 + 20);
      expect(late.handles).toBeLessThan(early.handles + 15);
      expect(late.processes).toBeLessThanOrEqual(early.processes + 3);
      // Processes of git are kept for a while.
      await sleep(KEPT_LIMITS.idleMs + 3_000);
      const rest = holdings.look(product);
      expect(rest.temporaryFiles).toBeLessThanOrEqual(5);
      // The starter may live on for a minute.
      expect(rest.processes).toBeLessThanOrEqual(2);
    },
    (MINUTES + 10) * 60_000,
  );

  /** The median of each number. */
  function middle(samples: readonly Held[]): Held {
    const of = (name: keyof Held): number =>
      samples.map((sample) => sample[name]).sort((a, b) => a - b)[samples.length >> 1] ?? 0;
    return {
      memoryMiB: of('memoryMiB'),
      handles: of('handles'),
      processes: of('processes'),
      temporaryFiles: of('temporaryFiles'),
    };
  }
});
