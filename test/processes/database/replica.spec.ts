import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '#kernel/config/load-config.js';
import { checkReplica } from '#kernel/start/replica.js';
import { buildProjectTeam, type ProjectTeam } from '../../support/builders/project-team.js';
import { ReplicatedApi } from '../../support/replicated-api.js';
import { until } from '../../support/until.js';

interface Dependency {
  readonly name: string;
  readonly status: string;
  readonly message: string | null;
}

describe('a replica of the database', () => {
  let world: ReplicatedApi;
  let team: ProjectTeam;
  let open: ProjectTeam;
  let count = 0;
  beforeAll(async () => {
    world = await ReplicatedApi.start();
    [team, open] = await Promise.all([buildProjectTeam(world.one), buildProjectTeam(world.one, 'public')]);
    await deploy();
  });
  afterAll(() => world.close());

  const path = (suffix = ''): string => `/projects/${team.projectId}/deployments${suffix}`;
  const NEWEST = '?order_by=id&sort=desc';
  const deploy = async (by = world.one.root): Promise<number> => {
    count += 1;
    const { status, body } = await by.post<{ iid: number }>(path(), {
      environment: 'production',
      ref: 'main',
      tag: false,
      status: 'success',
      sha: String(count).padStart(40, '0'),
    });
    expect(status).toBe(201);
    return body.iid;
  };
  const newest = async (client = team.reporter): Promise<number | undefined> =>
    (await world.list(client, path(NEWEST))).answer.body[0]?.iid;
  const userOf = async (client: ProjectTeam['reporter']): Promise<number> =>
    (await client.get<{ id: number }>('/user')).body.id;
  const replay = (verb: 'pause' | 'resume'): Promise<unknown> =>
    world.postgres.replica.sql(`select pg_wal_replay_${verb}()`);
  /** The same caller in the other process. */
  const elsewhere = async (name: 'developer' | 'reporter'): Promise<ProjectTeam['reporter']> =>
    world.other.as(await tokenOf(name));
  const tokenOf = async (name: 'developer' | 'reporter'): Promise<string> => {
    const id = await userOf(team[name]);
    const { body } = await world.one.root.post<{ token: string }>(`/users/${id}/personal_access_tokens`, {
      name: 'elsewhere',
      scopes: ['api'],
    });
    return body.token;
  };

  it('serves lists to callers who have not written, with the same response', async () => {
    await world.untilReplica(team.reporter, path());
    const { answer } = await world.list(team.reporter, path());
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-total')).toBe('1');
    expect(answer.body).toEqual((await world.one.root.get(path())).body);
    const sessions = await world.postgres.replica.sql(
      `select from pg_stat_activity where application_name = 'forgeplane-replica' and query !~ 'pg_control_system'`,
    );
    expect(sessions.length).toBeGreaterThan(0);
    await world.untilReplica(world.one.anonymous, `/projects/${open.projectId}/pipelines`);
  });

  it('serves no list that decides about rights, and only lists', async () => {
    await world.untilReplica(team.reporter, path());
    for (const asked of ['/projects', '/issues', path('/1'), `/projects/${team.projectId}/members/all`])
      expect((await world.list(team.reporter, asked)).by).toEqual({ replica: 0, primary: 0 });
  });

  it('lets callers see their own writes immediately, in every process', async () => {
    const writer = await elsewhere('developer');
    await world.untilReplica(writer, path());
    await world.untilReplica(team.developer, path());
    const id = await userOf(team.developer);
    const iid = await deploy(team.developer);
    const notes = await world.postgres.primary.sql(
      `update recent_writers set wrote_at = wrote_at + interval '1 hour' where user_id = ${id} returning 1 as noted`,
    );
    expect(notes).toEqual([{ noted: 1 }]);
    for (const client of [team.developer, writer]) {
      const { answer, by } = await world.list(client, path(NEWEST));
      expect([answer.body[0]?.iid, by]).toEqual([iid, { replica: 0, primary: 1 }]);
    }
    // Writers who continue are recorded again; those who have stopped are served by the replica after a while.
    await world.one.sql(
      `update recent_writers set wrote_at = now() - interval '1 minute' where user_id = $1`,
      [id],
    );
    await world.untilReplica(writer, path(NEWEST));
    await world.untilReplica(team.developer, path(NEWEST));
  });

  it('never decides about rights', async () => {
    const revoked = await elsewhere('reporter');
    const removed = await elsewhere('developer');
    for (const client of [revoked, removed]) await world.untilReplica(client, path());
    await replay('pause');
    const { body: tokens } = await revoked.get<{ id: number }>('/personal_access_tokens/self');
    expect((await world.one.root.delete(`/personal_access_tokens/${tokens.id}`)).status).toBe(204);
    expect((await revoked.get(path())).status).toBe(401);
    const member = `/projects/${team.projectId}/members/${await userOf(removed)}`;
    expect((await world.one.root.delete(member)).status).toBe(204);
    expect((await removed.get(path())).status).toBe(404);
    expect((await team.developer.get(path())).status).toBe(404);
    await replay('resume');
  });

  it('is not used while it is five seconds behind, and serves again afterwards', async () => {
    await world.untilReplica(team.reporter, path());
    await replay('pause');
    const iid = await deploy();
    await world.untilPrimary(team.reporter, path());
    expect(await newest()).toBe(iid);
    await until(async () => /^it is \d+\.\d s behind$/.test((await told()).message ?? ''));
    expect(await told()).toMatchObject({ status: 'down' });
    expect((await world.one.anonymous.get('/-/readiness')).status).toBe(200);
    await replay('resume');
    await world.untilReplica(team.reporter, path());
    expect(await newest()).toBe(iid);
    await until(async () => (await told()).status === 'up');
    expect((await told()).message).toMatch(/^\d\.\d s behind, or less$/);
  });

  it('delays no request when it is silent, or lost during requests', async () => {
    const { replica } = world.postgres;
    await world.untilReplica(team.reporter, path());
    replica.signal('SIGSTOP');
    await traffic(() => world.untilPrimary(team.reporter, path()));
    replica.signal('SIGCONT');
    await world.untilReplica(team.reporter, path());
    await traffic(async () => {
      await replica.kill();
      await world.untilPrimary(team.reporter, path());
    });
    await until(async () => {
      const text = await (await fetch(`${world.one.url}/-/metrics`)).text();
      return text.includes('dependency_up{dependency="replica"} 0');
    });
    await replica.start();
    await world.untilReplica(team.reporter, path());
  });

  it('is checked at the start: a server with other data is refused with the reason', async () => {
    const { primary, replica } = world.postgres;
    const start = (url: string): Promise<void> =>
      checkReplica(loadConfig({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: url }));
    await start(replica.url);
    await start('postgres://forgeplane@127.0.0.1:1/forgeplane');
    await expect(start(`${primary.url}&keepalives=1`)).rejects.toThrow(
      'DATABASE_REPLICA_URL does not point to a replica of the database (it follows no primary: it can be written to): name one, or unset it.',
    );
    for (const url of [
      replica.url.replace('/forgeplane?', '/postgres?'),
      process.env['TEST_DATABASE_URL'] ?? '',
    ])
      await expect(start(url)).rejects.toThrow('(it has another database than the primary)');
    expect(() => loadConfig({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: 'replica:5432' })).toThrow(
      'DATABASE_REPLICA_URL must be a postgres:// URL of a replica',
    );
    expect(() => loadConfig({ DATABASE_REPLICA_URL: replica.url })).toThrow('embedded database');
  });

  it('is not used after it was promoted to a primary', async () => {
    await world.untilReplica(team.reporter, path());
    await world.postgres.replica.sql('select pg_promote()');
    await until(async () => (await told()).message === 'it follows no primary: it can be written to');
    await world.postgres.replica.sql('delete from deployments');
    const iid = await deploy();
    expect(await newest()).toBe(iid);
    expect((await world.list(team.reporter, path())).by).toEqual({ replica: 0, primary: 1 });
  });

  /** The state that administrators see. */
  const told = async (): Promise<Dependency> => {
    const { body } = await world.one.root.get<{ dependencies: Dependency[] }>('/admin/health');
    const found = body.dependencies.find(({ name }) => name === 'replica');
    if (!found) throw new Error('The replica is not told of');
    return found;
  };

  /** Requests lists while `change` runs, none of which fails. */
  async function traffic(change: () => Promise<unknown>): Promise<void> {
    const statuses = new Map<number, number>();
    const load = { isOver: false };
    const lists = Array.from({ length: 4 }, async () => {
      while (!load.isOver) {
        const { status } = await team.reporter.get(path());
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    try {
      await change();
    } finally {
      load.isOver = true;
      await Promise.all(lists);
    }
    expect([...statuses.keys()]).toEqual([200]);
  }
});
