import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Role } from '#kernel/access/roles.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { PushCompletionService } from '#core/repositories/pushes/recovery/push-completion.service.js';
import { RecoverPushesJob } from '#core/repositories/pushes/recovery/recover-pushes.job.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { RepositoryWritesService } from '#core/repositories/pushes/repository-writes.service.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { seedRepository, WorkingCopy } from '../../../../support/git.js';
import { until } from '../../../../support/until.js';

let api: TestApi;
let work: WorkingCopy;
let repository: OpenRepository;
let ids: { first: string; second: string; third: string };
let heard: RefsPushed[];
let failing = false;

beforeAll(async () => {
  api = await startApi();
  api.app.get(DomainEvents).on(RefsPushed, (event) => {
    if (failing) throw new Error('The database is away');
    heard.push(event);
  });
  work = await new WorkingCopy().init();
  const first = await work.commit({ 'a.txt': '1' }, 'First');
  const second = await work.commit({ 'a.txt': '2' }, 'Second');
  const third = await work.commit({ 'a.txt': '3' }, 'Third');
  ids = { first, second, third };
});
afterAll(async () => {
  work.remove();
  await api.close();
});

/** Creates a separate project with the branches main (third) and old (first). */
beforeEach(async () => {
  heard = [];
  const { body } = await api.root.post<{ id: number }>('/projects', { name: `lost-${randomUUID()}` });
  await work.git('branch', '--force', 'old', ids.first);
  repository = await seedRepository(api, projectRepository(body.id), work);
});
afterEach(async () => {
  failing = false;
  await api.sql('delete from running_pushes');
});

/** Inserts a push as a process leaves it that died that many seconds ago. */
async function lost(changes: readonly RefChange[] | null, seconds: number): Promise<string> {
  const id = randomUUID();
  await api.sql(
    `insert into running_pushes (id, repository_id, user_id, changes, push_options, heartbeat_at)
     values ($1, $2, 1, $3, '{ci.skip}', now() - $4 * interval '1 second')`,
    [id, repository.id, changes && JSON.stringify(changes), seconds],
  );
  return id;
}

const rows = (): Promise<{ id: string }[]> => api.sql<{ id: string }>('select id from running_pushes');

async function recover(): Promise<void> {
  const [before] = await api.sql<{ id: number }>('select coalesce(max(id), 0) as id from background_jobs');
  await api.app
    .get(Transactions)
    .run((tx) => api.app.get(Jobs).enqueue(tx, RecoverPushesJob, {}, { dedupeKey: randomUUID() }));
  const left = `select 1 from background_jobs where name = 'repositories.recover_pushes' and id > $1`;
  await until(async () => (await api.sql(left, [before?.id])).length === 0);
}

describe('pushes whose process has died', () => {
  it('are processed if their refs have changed, once, with the pusher and the options', async () => {
    const changes = [
      { ref: 'refs/heads/main', before: ids.second, after: ids.third },
      { ref: 'refs/heads/gone', before: ids.first, after: NO_OBJECT },
      { ref: 'refs/heads/old', before: ids.first, after: ids.second },
    ];
    await lost(changes, 61);
    await recover();
    await recover();
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({ userId: 1, changes: changes.slice(0, 2), pushOptions: ['ci.skip'] });
    expect(heard[0]?.payloads).toMatchObject([
      { ref: 'main', action: 'pushed', commit_count: 1, commit_title: 'Third' },
      { ref: 'gone', action: 'removed' },
    ]);
    expect(await rows()).toEqual([]);
    const measured = `select 1 from repositories where id = $1 and pushed_at is not null`;
    expect(await api.sql(measured, [repository.id])).toHaveLength(1);
  });

  it('are processed even if the branch has changed since', async () => {
    await lost([{ ref: 'refs/heads/main', before: ids.first, after: ids.second }], 61);
    await recover();
    expect(heard).toHaveLength(1);
  });

  it('are processed after the move of their repository', async () => {
    const readOnly = 'update projects set repository_read_only = $2 where id = $1';
    await api.sql(readOnly, [repository.ownerId, true]);
    await lost([{ ref: 'refs/heads/main', before: ids.second, after: ids.third }], 3_600);
    await recover();
    expect(heard).toEqual([]);
    await api.sql(readOnly, [repository.ownerId, false]);
    await recover();
    expect(heard).toHaveLength(1);
  });

  it('are ignored while their process runs', async () => {
    const alive = await lost([{ ref: 'refs/heads/main', before: ids.second, after: ids.third }], 50);
    await recover();
    expect(heard).toEqual([]);
    expect(await rows()).toEqual([{ id: alive }]);
  });

  it('are removed if nothing was accepted', async () => {
    await lost(null, 61);
    await recover();
    expect(await rows()).toEqual([]);
    expect(heard).toEqual([]);
  });

  it('are removed later if they were accepted and changed nothing', async () => {
    const changes = [{ ref: 'refs/heads/old', before: ids.first, after: 'f'.repeat(40) }];
    await lost(changes, 601);
    const young = await lost(changes, 61);
    await recover();
    expect(await rows()).toEqual([{ id: young }]);
    expect(heard).toEqual([]);
  });

  it('can no longer be accepted once they are removed', async () => {
    const running = api.app.get(RunningPushesService, { strict: false });
    const id = (await running.begin(repository, 1)) as string;
    await api.sql(`update running_pushes set heartbeat_at = now() - interval '61 seconds'`);
    await recover();
    expect(await running.accept(id, [])).toBe(false);
    running.release(id);
  });
});

describe('a push that cannot be processed', () => {
  it('does not fail for the pusher, and is processed later', async () => {
    const change = { ref: 'refs/heads/old', before: ids.first, after: ids.second };
    failing = true;
    const root = { userId: 1, role: Role.Admin, via: 'api' } as const;
    const writes = api.app.get(RepositoryWritesService, { strict: false });
    await writes.change(repository, root, () => Promise.resolve([change]));
    expect(heard).toEqual([]);
    expect(await rows()).toHaveLength(1);

    failing = false;
    await api.sql(`update running_pushes set heartbeat_at = now() - interval '61 seconds'`);
    await recover();
    expect(heard).toMatchObject([{ userId: 1, changes: [change] }]);
    expect(await rows()).toEqual([]);
  });

  it('does not delay others', async () => {
    const changes = [{ ref: 'refs/heads/main', before: ids.second, after: ids.third }];
    const failed = await lost(changes, 61);
    for (let count = 0; count < 5; count += 1) await lost(null, 61);
    failing = true;
    await recover();
    expect(await rows()).toEqual([{ id: failed }]);
    failing = false;
    await recover();
    expect(await rows()).toEqual([]);
    expect(heard).toHaveLength(1);
  });
});

describe('an accepted push without a report of its changes', () => {
  const settle = (id: string, changes: readonly RefChange[]): Promise<void> =>
    api.app.get(PushCompletionService, { strict: false }).settle(id, repository, changes);

  it('is processed according to its refs', async () => {
    const done = { ref: 'refs/heads/main', before: ids.second, after: ids.third };
    const refused = { ref: 'refs/heads/old', before: ids.first, after: ids.third };
    await settle(await lost([done, refused], 0), [done, refused]);
    expect(heard).toMatchObject([{ changes: [done] }]);
    expect(heard[0]?.changes).toHaveLength(1);
    expect(await rows()).toEqual([]);
  });

  it('is removed if it changed nothing', async () => {
    const refused = { ref: 'refs/heads/old', before: ids.first, after: ids.third };
    await settle(await lost([refused], 0), [refused]);
    expect(heard).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  it('is finished once, by whichever process is first', async () => {
    const done = { ref: 'refs/heads/main', before: ids.second, after: ids.third };
    const id = await lost([done], 61);
    const finish = api.app.get(PushCompletionService, { strict: false }).finish(id, repository, [done]);
    await Promise.all([finish, settle(id, [done]), recover()]);
    expect(heard).toHaveLength(1);
  });
});

it('a push stays alive while another one is being ended for long', async () => {
  const running = api.app.get(RunningPushesService, { strict: false });
  const begun = [await running.begin(repository, 1), await running.begin(repository, 1)];
  const [ended, other] = begun as [string, string];
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('delete from running_pushes where id = $1', [ended]);
    await api.sql(`update running_pushes set heartbeat_at = now() - interval '15 seconds' where id = $1`, [
      other,
    ]);
    const isAlive = async (): Promise<boolean> => {
      const fresh = `select 1 as row from running_pushes where id = $1 and heartbeat_at > now() - interval '10 seconds'`;
      return (await api.sql(fresh, [other])).length === 1;
    };
    await until(isAlive, 5_000);
  } finally {
    await client.end();
    for (const id of begun) await running.cancel(id as string);
  }
});
