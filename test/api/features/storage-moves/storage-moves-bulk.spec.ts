import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { ScheduleBulkMoves } from '#features/storage-moves/schedule/schedule-bulk-moves.use-case.js';
import type { ApiClient } from '../../../support/client.js';
import { StorageWorld, type MoveBody } from '../../../support/storage-world.js';
import { until } from '../../../support/until.js';

let world: StorageWorld;
let root: ApiClient;
beforeAll(async () => {
  world = await StorageWorld.start();
  ({ root } = world.api);
});
afterAll(() => world.close());

it('a bulk move can be previewed, and then moves everything that can be moved', async () => {
  const names = { source_storage_name: 'default', destination_storage_name: 'second' };
  const [one, two, busy] = [
    await world.project('one'),
    await world.project('two'),
    await world.project('busy'),
  ];
  await world.fill(projectRepository(one));
  await world.api.sql('update repositories set size_bytes = 1234 where owner_id = $1', [one]);
  await world.api.sql('update projects set repository_read_only = true where id = $1', [busy]);
  const plan = await root.post('/project_repository_storage_moves', { ...names, dry_run: true });
  expect([plan.status, plan.body]).toEqual([200, { containers: 2, repositories: 1, bytes: 1234 }]);
  const { status, body } = await root.post('/project_repository_storage_moves', names);
  expect([status, body]).toEqual([202, { message: '202 Accepted' }]);
  await until(async () => {
    const left = await root.get<{ id: number }[]>('/projects?repository_storage=default');
    return left.body.map(({ id }) => id).join() === String(busy);
  });
  await until(
    async () =>
      !(await root.get<MoveBody[]>('/project_repository_storage_moves')).body.some(
        ({ state }) => state !== 'finished',
      ),
  );
  expect(await world.placeOf(two)).toEqual({ storage: 'second', readOnly: false });
  await world.api.sql('update projects set repository_read_only = false where id = $1', [busy]);
  const [event] = await world.api.sql<{ details: Record<string, unknown> }>(
    `select details from audit_events where details->>'target_type' = 'Storage' order by id desc limit 1`,
  );
  expect(event?.details['custom_message']).toBe(
    'Scheduled moves of all projects on storage default to second',
  );
});

it('only one of several simultaneous requests schedules a move', async () => {
  const id = await world.project('raced');
  const release = world.holdMoves();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      root.post<MoveBody>(`/projects/${id}/repository_storage_moves`, { destination_storage_name: 'second' }),
    ),
  );
  release();
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
  await world.ended(answers.find(({ status }) => status === 201)?.body.id ?? 0);
  expect((await root.get<MoveBody[]>(`/projects/${id}/repository_storage_moves`)).body).toHaveLength(1);
});

it('a bulk move schedules many in several transactions, and none twice when it starts again', async () => {
  const release = world.holdMoves();
  await world.api.sql(
    `insert into snippets (author_id, title, visibility, repository_storage)
     select 1, 'many', 'private', 'default' from generate_series(1, 450)`,
  );
  const bulk = world.api.app.get(ScheduleBulkMoves, { strict: false });
  const names = { ownerType: 'Snippet', source: 'default', destination: 'second', userId: 1 } as const;
  const first = bulk.run(names);
  expect((await first.next()).value).toHaveLength(200);
  await first.return(undefined);
  const sizes: number[] = [];
  for await (const moves of bulk.run(names)) sizes.push(moves.length);
  expect(sizes).toEqual([0, 200, 50, 0]);
  const [row] = await world.api.sql(
    `select count(*)::int as moves, count(distinct owner_id)::int as owners from storage_moves m
     where owner_type = 'Snippet' and exists (select from snippets s where s.id = m.owner_id and s.title = 'many')`,
  );
  expect(row).toEqual({ moves: 450, owners: 450 });
  await world.api.sql(`update storage_moves set state = 'failed' where state = 'scheduled'`);
  release();
});
