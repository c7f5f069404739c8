import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { RemoveObjectsProcessor } from '#kernel/object-storage/claims/remove-objects.processor.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { until } from '../../../support/until.js';

const context = { signal: new AbortController().signal } as unknown as JobContext;

describe('the removal of objects', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  it('continues after any number of them that cannot be removed, but not in a store that is lost', async () => {
    const storage = api.app.get(ObjectStorage);
    await storage.put('artifacts/behind', Buffer.from('x'));
    const stuck = Array.from({ length: 450 }, (_, index) => `artifacts/of-another-user/${index}`);
    await api.sql(
      `insert into object_claims (object_key, due_at) select key, now() - interval '1 day' from unnest($1::text[]) key
       union all select 'artifacts/behind', now() - interval '1 hour'`,
      [stuck],
    );
    const remove = storage.delete.bind(storage);
    const refuse = Object.assign(new Error('permission denied'), { code: 'EACCES' });
    const broken = jest.spyOn(storage, 'delete').mockRejectedValue(refuse);
    const lost = jest.spyOn(storage, 'checkWritable').mockRejectedValue(new Error('lost'));
    const processor = api.app.get(RemoveObjectsProcessor, { strict: false });
    try {
      await expect(processor.process({}, context)).rejects.toThrow('lost');
      expect(broken).toHaveBeenCalledTimes(200);
      lost.mockRestore();
      broken.mockImplementation((key) => (stuck.includes(key) ? Promise.reject(refuse) : remove(key)));
      await processor.process({}, context);
    } finally {
      lost.mockRestore();
      broken.mockRestore();
    }
    await expect(storage.head('artifacts/behind')).rejects.toThrow(/does not exist/);
    await processor.process({}, context);
    expect(
      await api.sql(`select 1 from object_claims where object_key like 'artifacts/of-another%'`),
    ).toEqual([]);
  });

  it('ends with its job, in a store that does not respond', async () => {
    const storage = api.app.get(ObjectStorage);
    await api.sql(
      `insert into object_claims (object_key, due_at) select 'artifacts/silent/' || n, now() from generate_series(1, 50) n`,
    );
    let go = (): void => undefined;
    const responds = new Promise<void>((resolve) => (go = resolve));
    const silent = jest.spyOn(storage, 'delete').mockImplementation(() => responds);
    const controller = new AbortController();
    const processor = api.app.get(RemoveObjectsProcessor, { strict: false });
    try {
      const processing = processor.process({}, { signal: controller.signal } as unknown as JobContext);
      await until(() => silent.mock.calls.length > 0);
      controller.abort(new Error('too late'));
      go();
      await expect(processing).rejects.toThrow('too late');
      expect(silent.mock.calls.length).toBeLessThan(20);
      expect(
        await api.sql(`select 1 from object_claims where object_key like 'artifacts/silent/%'`),
      ).toHaveLength(50);
    } finally {
      silent.mockRestore();
    }
    await processor.process({}, context);
  });
});
