import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Transactions } from '#kernel/database/transactions.js';
import { LabelNamesService } from '#core/labels/links/label-names.service.js';
import type { TestApi } from '../../../support/api.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { LabelWorld } from '../../../support/builders/label-world.js';
import { deadlocksOf, untilBlocking } from '../../../support/lock-waits.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;

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

  const subscribed = (id: number): string =>
    `select 1 from subscriptions where target_type = 'Label' and target_id = ${id} for update`;
  const remove = (id: number): Promise<{ status: number }> => api.root.delete(at(id, shop));

  it.each([
    { what: 'removed', change: { labels: 'other' }, stop: subscribed, go: remove },
    { what: 'removed', change: { add_labels: 'other' }, stop: subscribed, go: remove },
    {
      what: 'promoted',
      change: { labels: 'other' },
      stop: (id: number) =>
        `insert into labels (group_id, title, color) select ${world.group.id}, title, color from labels where id = ${id}`,
      go: (id: number) => api.root.put(`${at(id, shop)}/promote`),
    },
  ])('do not deadlock when one of an issue is $what and the issue gets $change', async (one) => {
    const { id, name } = await make(at('', shop), `${one.what} for ${Object.keys(one.change).join()}`);
    const { iid } = await buildIssue(api.root, shop, { labels: name });
    const path = `/projects/${shop}/issues/${iid}`;
    await api.root.post(`${at(id, shop)}/subscribe`);
    const before = await deadlocksOf(api);
    const holder = api.app.get(DataSource).createQueryRunner();
    await holder.startTransaction();
    try {
      await holder.query(one.stop(id));
      const gone = one.go(id);
      await untilBlocking(api, holder);
      let isOver = false;
      const changed = api.root.put(path, one.change).finally(() => {
        isOver = true;
      });
      // It waits for whoever takes the label away, or is through.
      await until(async () => isOver || (await api.sql(WAITING)).length > 1);
      await holder.commitTransaction();
      expect([[200, 204].includes((await gone).status), (await changed).status]).toEqual([true, 200]);
    } finally {
      if (holder.isTransactionActive) await holder.rollbackTransaction();
      await holder.release();
    }
    expect(await deadlocksOf(api)).toBe(before);
    expect((await api.root.get<BuiltIssue>(path)).body.labels).toContain('other');
    expect(await api.sql('select 1 from labels where id = $1', [id])).toEqual([]);
  });
});
