import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import '../../src/modules.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { allReaches, reach } from '#kernel/libraries/reach.js';
import { batchReach, boundReach, laneReach } from '#kernel/libraries/pg-inside.js';
import { startApi, type TestApi } from '../support/api.js';

describe('library internals', () => {
  it('have the expected form', () => {
    expect(allReaches().length).toBeGreaterThan(4);
    for (const { available, reach: what } of allReaches())
      expect([what.library, available || what.broken]).toEqual([what.library, true]);
  });

  it('are not used if they look different, and a warning states the consequence', async () => {
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    const gone = reach({
      library: 'x',
      broken: 'x has no y',
      looksRight: () => {
        throw new Error('no y');
      },
    });
    expect(gone.available).toBe(false);
    expect(await warned).toMatchObject({ message: 'x has no y', code: 'FORGEPLANE_REACH' });
  });
});

describe('without the internals of pg', () => {
  let api: TestApi;
  let back: (() => void)[] = [];

  beforeAll(async () => {
    back = [laneReach, batchReach, boundReach].map((one) => one.giveUp());
    api = await startApi();
  });
  afterAll(async () => {
    for (const one of back) one();
    await api.close();
  });

  it('the service reads and writes through the public interface', async () => {
    const database = api.app.get(ReadDatabase, { strict: false });
    expect(await database.short('select $1::int as n', [1])).toEqual([{ n: 1 }]);
    const made = await api.root.post('/api/v4/projects', { name: 'plain' });
    expect(made.status).toBe(201);
    const { id } = made.body as { id: number };
    expect((await api.root.post(`/api/v4/projects/${id}/issues`, { title: 'one' })).status).toBe(201);
    expect((await api.root.post(`/api/v4/projects/${id}/labels`, { name: 'a', color: '#fff' })).status).toBe(
      201,
    );
    // A statement that waits for the next one fails with its own error.
    expect((await api.root.post(`/api/v4/projects/${id}/labels`, { name: 'a', color: '#fff' })).status).toBe(
      409,
    );
    const listed = await api.root.get(`/api/v4/projects/${id}/issues`);
    expect(listed.body).toMatchObject([{ title: 'one' }]);
    expect((await api.root.delete(`/api/v4/projects/${id}`)).status).toBe(202);
  });
});
