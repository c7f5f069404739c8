import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { RepositoryUnavailable } from '#core/repositories/storages/repository-unavailable.js';
import { askStorage } from '#core/repositories/storages/storage-answers.js';

const never = (): Promise<never> => new Promise(() => undefined);

it('waits behind others while the disk answers them', async () => {
  const asked = Array.from({ length: 8 }, (_, index) =>
    askStorage('busy', () => sleep(150).then(() => index), 400),
  );
  expect(await Promise.all(asked)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it('gives up on a disk that answers nobody, also those that wait behind others', async () => {
  const begun = performance.now();
  const asked = [never, never, () => Promise.resolve()].map((work) => askStorage('hung', work, 300));
  const results = await Promise.allSettled(asked);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect((results[2] as PromiseRejectedResult).reason).toBeInstanceOf(RepositoryUnavailable);
  expect(performance.now() - begun).toBeLessThan(3_000);
});
