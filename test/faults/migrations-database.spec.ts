import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPidFile, stopLeftovers } from '#kernel/database/embedded/leftovers.js';
import { spawnOwner, type Owner } from '../support/embedded-owner.js';
import type { Member } from '../support/installation.js';
import {
  addAda,
  FarEnd,
  migrate,
  startFilledSource,
  type FilledSource,
} from '../support/migration/far-end.js';
import { endedImport } from '../support/migration/watch-import.js';
import { until } from '../support/until.js';

const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-migrating-database-'));
const folder = join(dataDir, 'postgres');
let source: FilledSource;
let owner: Owner;
let farEnd: FarEnd;
let service: Member;
beforeAll(async () => {
  [source, owner] = await Promise.all([startFilledSource(), spawnOwner(dataDir)]);
  farEnd = await FarEnd.create({ databaseUrl: owner.url });
  service = await farEnd.start('all');
  await addAda(service.client);
});
afterAll(async () => {
  await farEnd.close();
  owner.kill();
  await stopLeftovers(folder, () => undefined);
  rmSync(dataDir, { recursive: true, force: true });
  await source.instance.close();
});

/** Ends the database by a signal; its owner starts it again. */
async function restart(signal: NodeJS.Signals): Promise<void> {
  const { pid } = readPidFile(folder) ?? { pid: 0 };
  process.kill(pid, signal);
  await until(() => {
    const file = readPidFile(folder);
    return file !== undefined && file.pid !== pid && file.ready;
  }, 30_000);
}

const reached = (relation: string): Promise<number> =>
  until(async () => {
    const found = `select count(*) from bulk_import_relations where relation = $1 and status in ('started', 'finished')`;
    return (await farEnd.installation.count(found, [relation])) > 0;
  }, 60_000);

it.each([
  ['fast', 'SIGINT', ['labels', 'issues']],
  ['immediate', 'SIGQUIT', ['project_entities', 'merge_requests']],
] as const)(
  'PostgreSQL restarted (%s) during a migration: everything is imported once',
  async (_mode, signal, relations) => {
    const id = await migrate(service.client, source.instance.url, source.token);
    for (const relation of relations) {
      await reached(relation);
      await restart(signal);
    }
    const ended = await until(async () => /finished|failed/.test(await farEnd.status(id)), 60_000);
    expect(ended).toBeLessThan(60_000);
    expect(await farEnd.failures()).toEqual([]);
    expect(await endedImport(service.client, id)).toMatchObject({ status: 'finished', has_failures: false });
    expect(await farEnd.tally()).toEqual(source.tally);
    await service.client.delete('/groups/arrived');
    await until(async () => (await farEnd.tally())['groups'] === 0, 30_000);
    await farEnd.installation.sql('delete from bulk_imports');
  },
);
