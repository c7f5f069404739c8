import { expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Config } from '#kernel/config/config.js';
import { startApi } from '../../../support/api.js';

it('a process whose connections are all in use stays ready', async () => {
  const api = await startApi();
  const { DATABASE_POOL } = api.app.get(Config);
  const runners = Array.from({ length: DATABASE_POOL }, () => api.app.get(DataSource).createQueryRunner());
  try {
    await Promise.all(runners.map((runner) => runner.connect()));
    const { status, body } = await api.anonymous.get('/-/readiness?all=1');
    expect([status, body]).toMatchObject([
      200,
      { status: 'ok', checks: { database: { status: 'up' }, migrations: { status: 'up' } } },
    ]);
  } finally {
    for (const runner of runners) await runner.release();
    await api.close();
  }
});
