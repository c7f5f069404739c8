import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Installation } from '../support/installation.js';
import { describeWithPrometheus, Prometheus } from '../support/prometheus.js';
import { RedisServer } from '../support/redis-server.js';
import { makeSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { until } from '../support/until.js';

/** The rules, except for how long a condition must last. */
const RULES = readFileSync('docker/monitoring/forgeplane.rules.yml', 'utf8').replace(/for: \w+/g, 'for: 0s');
const PATIENCE_MS = 60_000;
/** Size of the disk of `makeSmallDisk` once it has grown. */
const DISK_BYTES = 128 * 1024 * 1024;

describeWithPrometheus('alert rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-alerts-'));
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let redis: RedisServer;
  let installation: Installation;
  let disk: SmallDisk;
  let prometheus: Prometheus;
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startDatabaseProxy(database.url);
    redis = await RedisServer.start();
    disk = makeSmallDisk(join(folder, 'disk'), process.pid);
    disk.grow();
    mkdirSync(join(folder, 'disk/repositories'));
    installation = await Installation.create({ databaseUrl: proxy.url, redisUrl: redis.url });
    const storage = `default=${join(folder, 'disk/repositories')}`;
    const api = await installation.start('api', { REPOSITORY_STORAGES: storage });
    prometheus = await Prometheus.start(RULES, [new URL(api.url).host]);
  });
  afterAll(async () => {
    await prometheus.stop();
    await installation.close();
    await redis.kill();
    disk.remove();
    await proxy.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const fires = (alert: string): Promise<number> =>
    until(async () => (await prometheus.firing('dependency', 'queue', 'disk')).includes(alert), PATIENCE_MS);
  const isQuiet = (): Promise<number> =>
    until(async () => (await prometheus.firing()).length === 0, PATIENCE_MS);

  it('fire while PostgreSQL is down, and not after it is back', async () => {
    await isQuiet();
    await proxy.cut();
    await fires('ForgeplaneDependencyDown/database');
    await proxy.mend();
    await isQuiet();
  });

  it('fire while Redis is down', async () => {
    await redis.kill();
    await fires('ForgeplaneDependencyDown/redis');
    await redis.start();
    await isQuiet();
  });

  it('fire while a disk is full', async () => {
    const file = join(folder, 'disk/filler');
    // Without permission to mount file systems, the test does not fill the disk of the machine.
    const { blocks, bsize } = statfsSync(join(folder, 'disk'));
    if (blocks * bsize > DISK_BYTES) return;
    writeFileSync(file, Buffer.alloc(DISK_BYTES * 0.94, 1));
    await fires('ForgeplaneDiskFull/storage_default');
    rmSync(file);
    await isQuiet();
  });

  it('fire while a queue is stuck, but not while it is paused', async () => {
    await installation.sql(
      `insert into background_jobs (queue, name, payload, run_at) values ('mail', 'mail.send', '{}', now() - interval '1 hour')`,
    );
    await fires('ForgeplaneQueueStuck/mail');
    await installation.sql(`insert into paused_queues (name) values ('mail')`);
    await fires('ForgeplaneQueuePaused/mail');
    await until(async () => !(await prometheus.firing()).includes('ForgeplaneQueueStuck'), PATIENCE_MS);
    await installation.sql(`delete from background_jobs where queue = 'mail'`);
    await installation.sql('delete from paused_queues');
    await isQuiet();
    expect(await prometheus.firing()).toEqual([]);
  });
});
