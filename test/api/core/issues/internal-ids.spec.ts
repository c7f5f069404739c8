import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import type { TestApi } from '../../../support/api.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('internal ids', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it('reuse the number of a row that was rolled back, and count existing rows', async () => {
    const { projectId } = await buildProjectTeam(api);
    const [transactions, iids] = [api.app.get(Transactions), api.app.get(InternalIdsService)];
    const take = (fails: boolean): Promise<number> =>
      transactions.run(async (tx) => {
        const iid = await iids.next(tx, projectId, 'deployments');
        if (fails) throw new Error('not kept');
        return iid;
      });
    const results = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => take(index % 3 === 0)));
    const kept = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(kept.sort((a, b) => a - b)).toEqual(kept.map((_, index) => index + 1));
    await transactions.run((tx) => iids.removed(tx, projectId, 'deployments', 3));
    const [row] = await api.sql<{ last_value: number; live_count: number }>(
      'select last_value, live_count from internal_ids where project_id = $1',
      [projectId],
    );
    expect(row).toEqual({ last_value: kept.length, live_count: kept.length - 3 });
    expect(await take(false)).toBe(kept.length + 1);
  });
});
