import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { LabelNamesService } from '#core/labels/links/label-names.service.js';
import type { TestApi } from '../../../support/api.js';
import { LabelWorld } from '../../../support/builders/label-world.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('labels under simultaneous changes', () => {
  let api: TestApi;
  let world: LabelWorld;
  let at: LabelWorld['at'];
  let make: LabelWorld['make'];
  let names: LabelWorld['names'];
  let shop: LabelWorld['shop'];
  beforeAll(async () => {
    api = await borrowApi();
    world = await LabelWorld.build(api);
    ({ at, make, names, shop } = world);
  });
  afterAll(() => api.close());

  it('remain consistent with 50 at once', async () => {
    const { id } = await make(at(), 'busy');
    const changes = [
      () => api.root.post(at(), { name: 'once', color: '#fff' }),
      () => api.root.put(at(id), { priority: 1 }),
      () => api.root.put(at(id), { color: '#abcdef' }),
      () => api.root.put(at(id), { description: 'kept' }),
      () => api.root.post(`${at(id)}/subscribe`),
    ];
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => changes.map((change) => change())).flat(),
    );
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect(count(409)).toBe(9);
    expect(answers.filter(({ status }) => ![200, 201, 304, 409].includes(status))).toEqual([]);
    expect((await api.root.get(at(id))).body).toMatchObject({ color: '#abcdef', description: 'kept' });
    expect((await names(at())).filter((name) => name === 'once')).toHaveLength(1);

    const wanted = Array.from({ length: 10 }, (_, index) => `parallel ${index}`);
    const resolve = (list: string[], mayCreate: boolean): Promise<number[]> =>
      api.app
        .get(Transactions)
        .run((tx) => api.app.get(LabelNamesService).resolve(tx, { projectId: shop }, list, mayCreate));
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, index) => resolve(index % 2 ? wanted : wanted.toReversed(), true)),
    );
    expect(new Set(found.map((ids) => ids.toSorted((a, b) => a - b).join())).size).toBe(1);
    expect(await resolve(['nobody, knows'], false)).toEqual([]);
  });
});
