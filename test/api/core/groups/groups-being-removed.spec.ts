import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { DeleteGroupJob } from '#core/groups/deletion/delete-group.job.js';
import { PurgeNamespaceService } from '#core/groups/deletion/purge-namespace.service.js';
import type { TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

let api: TestApi;
let purge: PurgeNamespaceService;
let parent: BuiltGroup;
let going: BuiltGroup;
beforeAll(async () => {
  api = await borrowApi();
  purge = api.app.get(PurgeNamespaceService);
});
afterAll(() => api.close());

/** A group with a subgroup that is removed, as long as its removal takes. */
async function hide(): Promise<void> {
  parent = await buildGroup(api);
  going = await buildGroup(api, { parent_id: parent.id, path: 'same' });
  await api.app.get(Transactions).run((tx) => purge.hide(tx, going.id));
}

const routesOf = (id: number): Promise<unknown> =>
  api.sql(`select path, redirect from routes where source_type = 'Namespace' and source_id = $1`, [id]);

it.each(['renamed', 'moved'])('groups above one that is being removed can be %s', async (how) => {
  await hide();
  const { id } = await buildGroup(api, { parent_id: parent.id, path: 'same' });
  const path = `${parent.path}-2`;
  const top = await buildGroup(api);
  const answer =
    how === 'renamed'
      ? await api.root.put(`/groups/${parent.id}`, { path })
      : await api.root.post(`/groups/${parent.id}/transfer`, { group_id: top.id });
  expect([answer.status, answer.text]).toEqual([how === 'renamed' ? 200 : 201, expect.any(String)]);
  const moved = how === 'renamed' ? path : `${top.path}/${parent.path}`;
  expect((await api.root.get(`/groups/${encodeURIComponent(`${moved}/same`)}`)).body).toMatchObject({ id });
  expect(await routesOf(going.id)).toEqual([]);
});

it('a removed group leaves no path behind', async () => {
  await hide();
  // As a rename of the group above did.
  await api.sql(`insert into routes (path, source_type, source_id) values ('left/behind', 'Namespace', $1)`, [
    going.id,
  ]);
  const { id: groupId } = going;
  await api.app.get(Transactions).run((tx) => api.app.get(Jobs).enqueue(tx, DeleteGroupJob, { groupId }));
  await until(async () => (await api.sql('select 1 from namespaces where id = $1', [groupId])).length === 0);
  expect(await routesOf(going.id)).toEqual([]);
});
