import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../support/client.js';
import { createEmptyDatabase } from '../support/database.js';
import { renderChart } from '../support/deploy/chart.js';
import { openDatabaseDoor } from '../support/deploy/database-door.js';
import { Deployment } from '../support/deploy/deployment.js';
import { type ImageFolder, makeImageFolder } from '../support/deploy/image-folder.js';
import { canRunPods, Pod, type PodPlace } from '../support/deploy/pod.js';
import { podsOf } from '../support/deploy/pod-template.js';
import { gitUrl } from '../support/git-http.js';
import { GitLoad } from '../support/git-load.js';
import { hasHaproxy, Haproxy } from '../support/haproxy.js';
import { Installation } from '../support/installation.js';
import { judgeJobs, watchJobs } from '../support/job-log.js';
import { freePort, ROOT_TOKEN } from '../support/processes.js';
import { hasRedisServer, RedisServer } from '../support/redis-server.js';
import { SteadyLoad } from '../support/steady-load.js';
import { until } from '../support/until.js';

/** 50 requests a second in all: a push or a clone is three requests of git. */
const API_REQUESTS = 47;
const GIT_COMMANDS = 1;
const BRANCHES = 600;

// The processes of the chart, started as it starts them: the pods of a whole installation are replaced one by
// one, under load.
(hasHaproxy && canRunPods ? describe : describe.skip)('the chart, rolled out', () => {
  let image: ImageFolder;
  beforeAll(async () => {
    image = await makeImageFolder();
  });
  afterAll(() => image.remove());
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one();
  });

  it.each([
    ['without Redis', false],
    ['with Redis', true],
  ])('fails no request, and neither loses nor duplicates a job: %s', async (_, withRedis) => {
    if (withRedis && !hasRedisServer) throw new Error('This test needs a redis-server');
    const { place, installation } = await surroundings(withRedis);
    const port = await freePort();
    const chart = await renderChart([
      `externalUrl=http://127.0.0.1:${port}`,
      'trustedProxies=127.0.0.1',
      ...['INITIAL_ROOT_TOKEN', ...(withRedis ? ['REDIS_URL'] : [])].flatMap((name) => [
        `secretEnv.${name}.name=forgeplane`,
        `secretEnv.${name}.key=${name}`,
      ]),
    ]);
    const migration = Pod.start(podsOf(chart, 'Job forgeplane-migrate').template, place);
    expect([await migration.ended, migration.output()]).toEqual([0, expect.any(String)]);
    await watchJobs(installation);

    const api = await Deployment.start(podsOf(chart, 'Deployment forgeplane-api'), place);
    undo.push(() => api.kill());
    const worker = await Deployment.start(podsOf(chart, 'Deployment forgeplane-worker'), place);
    undo.push(() => worker.kill());
    expect([api.pods.length, worker.pods.length]).toEqual([2, 2]);
    for (const pod of [...api.pods, ...worker.pods]) expect(confinementOf(pod)).toEqual(CONFINED);

    const proxy = await Haproxy.start(api.ports, api.check, port);
    undo.push(() => proxy.stop());
    // Until the balancer has noticed the empty port.
    await sleep(2 * api.check.everyMs);
    const client = new ApiClient(proxy.url, ROOT_TOKEN);
    await client.put('/application/settings', { issues_create_limit: 0 });
    const project = await client.post<{ id: number }>('/projects', { name: 'Rolled', visibility: 'public' });
    await client.put('/notification_settings', { level: 'watch' });
    await installation.sql('update notification_settings set notified_of_own_activity = true');

    const path = `/projects/${project.body.id}`;
    const git = await GitLoad.start(
      gitUrl(proxy, '/root/rolled.git', ['root', ROOT_TOKEN]),
      GIT_COMMANDS,
      BRANCHES,
    );
    const load = new SteadyLoad(proxy.url, `/api/v4${path}`, API_REQUESTS);
    undo.push(
      () => git.end(),
      () => load.end(),
    );
    const before = [...api.pods, ...worker.pods];
    const endings: Promise<number | string>[] = [];
    for (const index of api.pods.keys()) {
      endings.push((await api.replace(index, (own) => forgetSoon(proxy, own))).ended);
      endings.push((await worker.replace(index, () => Promise.resolve())).ended);
    }
    const codes = await Promise.all(endings);
    await sleep(3_000);
    const [requests, commands] = await Promise.all([load.end(), git.end()]);

    expect(codes).toEqual([0, 0, 0, 0]);
    for (const pod of before) expect([...api.pods, ...worker.pods]).not.toContain(pod);
    const failed = requests.filter((outcome) => !/^(?:GET|PUT) 200$|^POST 201$/.test(outcome));
    expect([failed, failed.length > 0 ? proxy.output() : '']).toEqual([[], '']);
    expect([...new Set(commands)].sort()).toEqual(['clone done', 'push done']);
    // Acknowledged writes exist, and no others.
    const issues = requests.filter((outcome) => outcome === 'POST 201').length;
    expect(await installation.count('select count(*) from issues')).toBe(issues);
    const pushes = Object.keys(git.pushed).length;
    const listed = await client.get<{ name: string; commit: { id: string } }[]>(
      `${path}/repository/branches?per_page=100`,
    );
    expect(Number(listed.headers.get('x-total'))).toBe(pushes + 1);
    for (const { name, commit } of listed.body)
      if (name !== 'main') expect([name, commit.id]).toEqual([name, git.pushed[`refs/heads/${name}`]]);
    const events = await client.get(`${path}/events?action=pushed&per_page=1`);
    expect(Number(events.headers.get('x-total'))).toBe(pushes + 1);
    await until(async () => (await installation.jobs()) === 0, 60_000);
    const { count, wrong } = await judgeJobs(installation);
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(issues + pushes);
    expect(mailedIssues(place.volume)).toEqual(Array.from({ length: issues }, (__, index) => index + 1));
  });

  /** Database, Redis and volume of one installation. */
  async function surroundings(
    withRedis: boolean,
  ): Promise<{ readonly place: PodPlace; readonly installation: Installation }> {
    const redis = withRedis ? await RedisServer.start() : undefined;
    undo.push(() => redis?.kill());
    const database = await createEmptyDatabase();
    undo.push(() => database.drop());
    // The server of the tests listens on a socket that only its own user may use.
    const door = await openDatabaseDoor(database.url);
    undo.push(() => door.close());
    const installation = await Installation.create({ databaseUrl: database.url });
    undo.push(() => installation.close());
    const volume = mkdtempSync(join(tmpdir(), 'forgeplane-volume-'));
    undo.push(() => rmSync(volume, { recursive: true, force: true }));
    // As a node prepares it for the group of the pod (fsGroup).
    chownSync(volume, 0, 1000);
    chmodSync(volume, 0o2775);
    const secrets = {
      DATABASE_URL: door.url,
      SECRETS_KEY: 'a key of the tests with 32 characters or more',
      INITIAL_ROOT_TOKEN: ROOT_TOKEN,
      ...(redis ? { REDIS_URL: redis.url } : {}),
    };
    return { place: { image, volume, secrets }, installation };
  }
});

/** A Kubernetes service removes a pod a moment after the pod is told to stop. */
async function forgetSoon(proxy: Haproxy, port: number): Promise<void> {
  await sleep(1_000);
  await proxy.forget(port);
}

const CONFINED = {
  user: '1000 1000 1000 1000',
  rights: '0000000000000000',
  gains: '0',
  root: 'ro',
  app: 'ro',
};

/** Facts of the kernel about a pod's process: its user, its capabilities, and its view of the file system. */
function confinementOf({ pid }: Pod): typeof CONFINED {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
  const line = (name: string): string =>
    (new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)?.[1] ?? '').replaceAll('\t', ' ');
  const mount = (at: string): string =>
    new RegExp(`^(?:\\S+ ){4}${at} (\\w+)`, 'm').exec(mounts)?.[1] ?? 'not mounted';
  return {
    user: line('Uid'),
    rights: line('CapBnd'),
    gains: line('NoNewPrivs') === '1' ? '0' : 'some',
    root: mount('/'),
    app: mount('/app'),
  };
}

/** Numbers of the issues in the mails of a volume, one for each mail. */
function mailedIssues(volume: string): number[] {
  const folder = join(volume, 'mail');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => Number(/^X-GitLab-Issue-IID: (\d+)/im.exec(readFileSync(join(folder, name), 'utf8'))?.[1]))
    .sort((one, other) => one - other);
}
