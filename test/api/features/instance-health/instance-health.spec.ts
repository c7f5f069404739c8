import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HealthChecks } from '#kernel/health/health-checks.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { addUser } from '../../../support/builders/instance.js';

const PATH = '/admin/health';

let api: TestApi;
beforeAll(async () => (api = await startApi({ LOG_LEVEL: 'silent' })));
afterAll(() => api.close());

const health = async (): Promise<Record<string, unknown>> => {
  const { status, body } = await api.root.get(PATH);
  expect(status).toBe(200);
  return body;
};

describe('the health of the instance', () => {
  it('reports dependencies, database, disks and version', async () => {
    const body = await health();
    expect(body).toMatchObject({
      ready: true,
      revision: expect.stringMatching(/^\d+\.\d+/),
      slow_statements: null,
    });
    for (const name of ['database', 'migrations', 'object_storage', 'storage_default'])
      expect(body['dependencies']).toContainEqual({ name, status: 'up', message: null });
    const { database, disks } = body as unknown as Record<string, Record<string, number>> & {
      disks: unknown[];
    };
    expect(database).toMatchObject({ replicas: [], max_connections: expect.any(Number) });
    expect(database?.['connections']).toBeGreaterThan(0);
    expect(database?.['connections']).toBeLessThanOrEqual(Number(database?.['max_connections']));
    expect(disks).toContainEqual({
      name: 'storage_default',
      free_bytes: expect.any(Number),
      size_bytes: expect.any(Number),
    });
  });

  it('reports unfinished backfills, and everything that expires within 30 days', async () => {
    const { id } = await addUser(api, 'keeper');
    await api.sql(
      `insert into backfills (name, done, total, error) values ('areas.names', 20, 100, 'refused')`,
    );
    await api.sql(
      `insert into personal_access_tokens (user_id, name, digest, scopes, expires_at, revoked)
       select $1, 'token', sha256(day::text::bytea), '{api}', current_date + day, day = 4 from unnest('{3,4,9,31,-1}'::int[]) day`,
      [id],
    );
    const [day] = await api.sql<{ first: string }>(`select to_char(current_date + 3, 'YYYY-MM-DD') as first`);
    const body = await health();
    expect(body['backfills']).toContainEqual({
      ...{ name: 'areas.names', done: 20, total: 100, error: 'refused', finished_at: null },
    });
    expect(body['expiring']).toEqual([{ kind: 'personal_access_token', count: 2, first_on: day?.first }]);
  });

  it('names failed dependencies with the reason, and still responds', async () => {
    const checks = api.app.get(HealthChecks);
    checks.register(
      'broken',
      () => Promise.reject(new Error('no route to postgres://me:hunter22@db/x')),
      'some',
      1,
    );
    checks.register('silent', () => new Promise(() => undefined), 'some', 1);
    const { ready, dependencies } = await health();
    expect(ready).toBe(false);
    expect(dependencies).toContainEqual({
      name: 'broken',
      status: 'down',
      message: expect.stringMatching(/no route to/),
    });
    expect(dependencies).toContainEqual({ name: 'silent', status: 'down', message: expect.any(String) });
    expect(JSON.stringify(dependencies)).not.toContain('hunter22');
  });

  it('shows the statements that took the most time, but none that may contain secrets', async () => {
    await api.sql(`create view pg_stat_statements as select (select oid from pg_database where datname = current_database()) as dbid,
      query, 3::bigint as calls, 2.5::float8 as mean_exec_time, total_exec_time from (values
        ('select * from users where id = $1', 7.5::float8), ('ALTER ROLE me PASSWORD ''hunter22''', 99),
        ('update users set name = $1', 10)) rows (query, total_exec_time)`);
    const { slow_statements: slow } = await health();
    expect(slow).toEqual([
      { statement: 'update users set name = $1', calls: 3, mean_ms: 2.5, total_ms: 10 },
      { statement: 'select * from users where id = $1', calls: 3, mean_ms: 2.5, total_ms: 7.5 },
    ]);
    await api.sql('drop view pg_stat_statements');
    await api.sql('create view pg_stat_statements as select 1 as unlike');
    expect((await health())['slow_statements']).toBeNull();
  });

  it('is only for administrators', async () => {
    const { token } = await addUser(api, 'somebody');
    expect((await api.anonymous.get(PATH)).status).toBe(401);
    expect((await api.as(token).get(PATH)).status).toBe(403);
  });
});
