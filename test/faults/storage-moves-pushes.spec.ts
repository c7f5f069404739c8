import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { READ_ONLY } from '#core/repositories/pushes/push-errors.js';
import { askRefs } from '../support/git-http.js';
import { inParallel, type Member } from '../support/installation.js';
import { isDown, startFaulty, type FaultyWorker } from '../support/move-faults.js';
import { MovingInstallation, type MovingProject } from '../support/moving-installation.js';
import { ROOT_TOKEN } from '../support/processes.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';
import { SlowPush } from '../support/slow-push.js';
import { until } from '../support/until.js';

/** Empty projects that are pushed to while their api process dies. */
const PUSHED = 12;

describeWithRedis('storage moves and pushes', () => {
  let redis: TestRedis | undefined;
  let moving: MovingInstallation;
  let api: Member;
  let projects: [MovingProject, MovingProject, MovingProject, MovingProject];
  beforeAll(async () => {
    redis = await createTestRedis();
    moving = await MovingInstallation.create({ redisUrl: redis?.url });
    api = await moving.start('api');
    await moving.arrange(api);
    projects = (await moving.projects(api, 'pushed', 4)) as typeof projects;
  });
  afterAll(async () => {
    await moving.close();
    await redis?.drop();
  });

  const finished = { state: 'finished', error_message: null };
  const refsOf = ({ path }: MovingProject): Promise<string> =>
    moving.work.git('ls-remote', moving.url(api, path));
  const running = (): Promise<number> => moving.installation.count('select count(*) from running_pushes');
  const expectRefused = async ({ path }: MovingProject): Promise<void> => {
    const { code, stderr } = await moving.push(api, path, 'main:refs/heads/during');
    expect([code, stderr]).toEqual([128, expect.stringContaining('403')]);
    const reply = await askRefs(api, `/root/${path}.git`, 'receive', ['root', ROOT_TOKEN]);
    expect([reply.status, reply.text]).toEqual([403, READ_ONLY]);
  };

  it('refuse pushes and commits during the move, allow reads, and accept pushes after it', async () => {
    const [project] = projects;
    const [worker] = (await startFaulty(moving, 'worker', ['waited'], 'SIGSTOP')) as [FaultyWorker];
    await moving.idle();
    const before = await refsOf(project);
    await moving.schedule(api.client, project);
    await until(() => isDown(worker), 30_000);
    await expectRefused(project);
    const commit = await api.client.post(`/projects/${project.id}/repository/commits`, {
      branch: 'main',
      commit_message: 'During the move',
      actions: [{ action: 'create', file_path: 'during.txt', content: 'x' }],
    });
    expect([commit.status, commit.body]).toEqual([400, { message: READ_ONLY }]);
    expect(await refsOf(project)).toBe(before);
    expect(await running()).toBe(0);
    process.kill(worker.pid, 'SIGCONT');
    expect(await moving.ended([project])).toMatchObject([finished]);
    expect(await moving.look(project)).toEqual(moving.wholeOn(project, 'second'));
    await moving.use(api, project);
    await worker.kill();
    await moving.start('worker');
  });

  it('wait for a push that began before the move, and copy its commits', async () => {
    const [, project] = projects;
    const push = await SlowPush.begin(moving, api, project.path, 'refs/heads/slow');
    const id = await moving.schedule(api.client, project);
    const state = 'select count(*) from storage_moves where id = $1 and state = $2';
    await until(async () => (await moving.installation.count(state, [id, 'started'])) === 1);
    await expectRefused(project);
    const answer = await push.finish();
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('ok refs/heads/slow')]);
    expect(await moving.ended([project])).toMatchObject([finished]);
    expect(await refsOf(project)).toContain('refs/heads/slow');
    expect(existsSync(moving.place('a', project))).toBe(false);
    await moving.use(api, project);
  });

  it('fail for a push that does not end; the push succeeds, and then the next move', async () => {
    const [, , project] = projects;
    const push = await SlowPush.begin(moving, api, project.path, 'refs/heads/slow');
    await moving.schedule(api.client, project);
    expect(await moving.ended([project])).toMatchObject([
      { state: 'failed', error_message: 'Timeout waiting for project repository pushes' },
    ]);
    expect(await moving.look(project)).toEqual(moving.wholeOn(project, 'default'));
    const answer = await push.finish();
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('ok refs/heads/slow')]);
    await moving.schedule(api.client, project);
    expect(await moving.ended([project])).toMatchObject([finished]);
    expect(await refsOf(project)).toContain('refs/heads/slow');
    await moving.use(api, project);
  });

  it('kill -9 of the api during pushes: each is complete and processed or absent, and moves continue', async () => {
    const [, , , project] = projects;
    const victim = await moving.start('api');
    const empty = await inParallel(PUSHED + 1, (number) => emptyProject(`empty-${number}`), 4);
    const [changed, ...others] = empty as [MovingProject, ...MovingProject[]];
    const half = await SlowPush.begin(moving, victim, project.path, 'refs/heads/half');
    // One push has changed its ref, and waits to be processed.
    const unnoted = await SlowPush.begin(moving, victim, changed.path, 'refs/heads/main');
    const release = await moving.installation.hold('select 1 from projects where id = $1 for update', [
      changed.id,
    ]);
    unnoted.send();
    await until(() => branchesOn('a', changed).length > 0);
    let acknowledged = 0;
    const codes = await inParallel(
      PUSHED,
      async (number) => {
        const { path } = others[number - 1] as MovingProject;
        const { code } = await moving.push(victim, path, 'main', 'old', 'v1');
        if (code === 0 && (acknowledged += 1) === 4) await victim.kill();
        return code;
      },
      4,
    );
    await release();
    expect(codes.filter((code) => code === 0).length).toBeGreaterThanOrEqual(4);
    expect(codes.filter((code) => code !== 0).length).toBeGreaterThan(0);
    half.send();
    const all = [project, ...empty];
    await moving.scheduleAll(api.client, all);
    for (const move of await moving.ended(all)) expect(move).toMatchObject(finished);
    expect(await moving.look(project)).toEqual(moving.wholeOn(project, 'second'));
    expect(moving.remains()).toEqual([]);
    // Time passes without an end of these pushes.
    await moving.installation.sql(`update running_pushes set heartbeat_at = now() - interval '11 minutes'`);
    await until(async () => (await running()) === 0, 90_000);
    expect(await noteOf(changed)).toEqual({ isEmpty: false, isPushed: true });
    expect(branchesOn('b', changed)).toEqual(['main']);
    for (const [number, one] of others.entries()) {
      const branches = branchesOn('b', one);
      if (codes[number] === 0 || branches.length > 0) expect(branches).toEqual(['main', 'old', 'v1']);
      const isPushed = branches.length > 0;
      expect(await noteOf(one)).toEqual({ isEmpty: !isPushed, isPushed });
    }
    await moving.use(api, project);
  });

  async function emptyProject(path: string): Promise<MovingProject> {
    const { status, text, body } = await api.client.post<{ id: number }>('/projects', { name: path });
    if (status !== 201) throw new Error(`The project was not made: ${status} ${text}`);
    return { id: body.id, path, refs: {} };
  }

  function branchesOn(folder: 'a' | 'b', project: MovingProject): string[] {
    const path = moving.place(folder, project);
    if (!existsSync(path)) return [];
    const refs = execFileSync('git', ['-C', path, 'for-each-ref', '--format=%(refname:short)']).toString();
    return refs.split('\n').filter((name) => name !== '');
  }

  /** Rows of the first push to a project. */
  async function noteOf({ id }: MovingProject): Promise<unknown> {
    const [row] = await moving.installation.sql<Record<string, unknown>>(
      `select p.empty_repo as "isEmpty", exists (select from repositories r
         where r.owner_type = 'Project' and r.owner_id = p.id and r.kind = 'code' and r.pushed_at is not null) as "isPushed"
       from projects p where p.id = $1`,
      [id],
    );
    return row;
  }
});
