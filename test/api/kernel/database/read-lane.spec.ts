import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Socket } from 'node:net';
import pg from 'pg';
import '#kernel/database/reads/pg-types.js';
import { ReadLane } from '#kernel/database/lanes/read-lane.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

describe('a lane of pipelined reads', () => {
  let database: TestDatabase;
  let lane: ReadLane;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await lane.close();
    await database.drop();
  });

  const series = (count: number): Promise<{ n: number }[]> =>
    lane.query({
      name: 'series',
      text: 'select n, n::text as text from generate_series(1, $1::int) n',
      values: [count],
    });

  it('answers many simultaneous first reads, each with its own rows', async () => {
    lane = new ReadLane({ connectionString: database.url });
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => series(index)));
    answers.forEach((rows, index) => {
      expect(rows.map((row) => row.n)).toEqual(Array.from({ length: index }, (_, one) => one + 1));
    });
  });

  it('keeps answering other reads when one fails', async () => {
    const broken = (): Promise<unknown[]> =>
      lane.query({ name: 'broken', text: 'select 1 / $1::int as n', values: [0] });
    const results = await Promise.allSettled([series(3), broken(), series(4), broken(), series(5)]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    await expect(
      lane.query({ name: 'bad', text: 'select nothing from nowhere', values: [] }),
    ).rejects.toThrow('nowhere');
    expect(await series(1)).toEqual([{ n: 1, text: '1' }]);
  });

  it('repeats running reads when the server closed the connection', async () => {
    const [pid] = await lane.query<{ pid: number }>({
      name: 'pid',
      text: 'select pg_backend_pid() as pid',
      values: [],
    });
    const slow = lane.query<{ n: number }>({
      name: 'slow',
      text: 'select 1 as n from pg_sleep($1)',
      values: [0.3],
    });
    const killer = new ReadLane({ connectionString: database.url });
    await killer.query({ name: 'kill', text: 'select pg_terminate_backend($1)', values: [pid?.pid] });
    await killer.close();
    expect(await slow).toEqual([{ n: 1 }]);
    expect(await Promise.all([series(2), series(2)])).toHaveLength(2);
  });

  it('repeats running reads when the system reports the connection as broken', async () => {
    const sockets: Socket[] = [];
    const breaking = new ReadLane({
      connectionString: database.url,
      stream: () => {
        const socket = new Socket();
        sockets.push(socket);
        return socket;
      },
    });
    const read = (seconds: number): Promise<{ n: number }[]> =>
      breaking.query({ name: 'slow', text: 'select 1 as n from pg_sleep($1)', values: [seconds] });
    await read(0);
    const running = read(0.3);
    sockets[0]?.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(await running).toEqual([{ n: 1 }]);
    expect(sockets).toHaveLength(2);
    await breaking.close();
  });

  describe('when a table is locked', () => {
    let owner: pg.Client;
    beforeAll(async () => {
      owner = new pg.Client({ connectionString: database.url });
      await owner.connect();
      await owner.query('create table held (n int)');
      await owner.query('insert into held values (1)');
    });
    afterAll(() => owner.end());

    it('prepares canceled statements again, including later reads', async () => {
      const patient = new ReadLane({ connectionString: database.url, lock_timeout: 100 });
      const held = (): Promise<{ n: number }[]> =>
        patient.query({ name: 'held', text: 'select n from held', values: [] });
      await owner.query('begin');
      await owner.query('lock table held in access exclusive mode');
      const codes = (await Promise.allSettled([held(), held(), held()])).map((one) =>
        one.status === 'rejected' ? (one.reason as { code: string }).code : one.value,
      );
      expect(codes).toEqual(['55P03', '55P03', '55P03']);
      const behind = [held(), held(), held()];
      await owner.query('rollback');
      for (const rows of await Promise.all(behind)) expect(rows).toEqual([{ n: 1 }]);
      expect(await Promise.all([held(), held()])).toEqual([[{ n: 1 }], [{ n: 1 }]]);
      await patient.close();
    });

    it('runs statements whose columns have changed since they were prepared', async () => {
      const held = (): Promise<{ n: unknown }[]> =>
        lane.query({ name: 'changed', text: 'select n from held', values: [] });
      expect(await held()).toEqual([{ n: 1 }]);
      expect(await held()).toEqual([{ n: 1 }]);
      await owner.query('alter table held alter column n type text');
      expect(await held()).toEqual([{ n: '1' }]);
      await owner.query('alter table held alter column n type int using n::int');
    });
  });
});
