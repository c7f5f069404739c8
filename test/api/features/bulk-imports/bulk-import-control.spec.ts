import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Transactions } from '#kernel/database/transactions.js';
import { CancelBulkImport } from '#features/bulk-imports/engine/control/cancel-bulk-import.use-case.js';
import {
  ResumeEntities,
  type Resumption,
} from '#features/bulk-imports/engine/control/resume-entities.use-case.js';
import { ImportFolderService } from '#features/bulk-imports/engine/records/files/import-folder.service.js';
import { RelationFailed } from '#features/bulk-imports/engine/runs/run-ended.js';
import { ImportSweepService } from '#features/bulk-imports/watch/import-sweep.service.js';
import { LostWorkService } from '#features/bulk-imports/watch/lost-work.service.js';
import { OldImportsService } from '#features/bulk-imports/watch/old-imports.service.js';
import { EngineWorld, labelLines, type Row } from '../../../support/bulk-imports/engine-world.js';
import { makeUnremovable, removeUnremovable } from '../../../support/unremovable.js';
import { until } from '../../../support/until.js';

let world: EngineWorld;
beforeAll(async () => {
  world = await EngineWorld.start();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const relationOf = async (entityId: number, name = 'labels'): Promise<Row> =>
  (await world.relations(entityId)).find(({ relation }) => relation === name) as Row;

async function cancel(importId: number): Promise<boolean> {
  return world.get(Transactions).run((tx) => world.get(CancelBulkImport).run(tx, importId));
}

async function resume(entityId: number): Promise<Resumption> {
  return world.get(Transactions).run((tx) => world.get(ResumeEntities).run(tx, entityId));
}

describe('canceling', () => {
  it('stops running relations at their next commit, and keeps what was imported', async () => {
    world.limits.batchRows = 1;
    world.labels.pauseMs = 30;
    world.source.files.set('group labels', [
      labelLines(...Array.from({ length: 100 }, (_, number) => `l${number}`)),
    ]);
    const id = await world.import(['one', 'two']);
    await until(async () => {
      const [entity] = await world.entities(id);
      return entity !== undefined && Number((await relationOf(entity.id))['imported_count']) > 2;
    });
    expect(await cancel(id)).toBe(true);
    expect(await cancel(id)).toBe(false);
    expect(await world.find(id)).toMatchObject({ status: 'failed', canceled: true, timed_out: false });
    const [entity] = await world.entities(id);
    const before = await relationOf((entity as Row).id);
    expect(before).toMatchObject({ status: 'canceled', run_token: null });
    await world.idle();
    expect(await relationOf((entity as Row).id)).toEqual(before);
    expect(await world.labelsOf((entity as Row)['namespace_id'] as number)).toHaveLength(
      Number(before['imported_count']),
    );

    world.labels.pauseMs = 0;
    for (const each of await world.entities(id)) expect(await resume(each.id)).toBe('resumed');
    expect(await world.ended(id)).toMatchObject({ status: 'finished', canceled: false, has_failures: false });
    expect(await relationOf((entity as Row).id)).toMatchObject({ fetched_count: 100, imported_count: 100 });
    expect(await resume((entity as Row).id)).toBe('not_failed');
  });

  it('ends an import that has not started, and one whose importer is blocked', async () => {
    const waiting = await world.import(['old'], false);
    expect(await cancel(waiting)).toBe(true);
    expect((await world.entities(waiting))[0]).toMatchObject({ status: 'failed', canceled: true });
    const { body } = await world.api.root.post<{ id: number }>('/users', {
      username: 'leaver',
      name: 'Leaver',
      email: 'leaver@example.com',
      password: 'correct horse battery',
      skip_confirmation: true,
    });
    await world.api.root.post(`/users/${body.id}/block`, {});
    const id = await world.import(['old'], true, body.id);
    expect(await world.ended(id)).toMatchObject({ status: 'failed', canceled: false, has_failures: true });
    expect(await world.failures(((await world.entities(id))[0] as Row).id)).toEqual([
      expect.objectContaining({ exception_message: 'The importing user is no longer active' }),
    ]);
  });
});

describe('resuming', () => {
  it('continues after the last committed batch, requests a new export and keeps finished relations', async () => {
    let isBroken = true;
    let runs = 0;
    world.pipelines = [];
    world.steps = [
      world.shell(),
      world.step('first', 1, async (run) => {
        runs += 1;
        await run.commit((tx) => run.progress(tx, { imported: 1 }));
      }),
      world.step(
        'second',
        2,
        async (run) => {
          const from = (run.cursor as { at: number } | null)?.at ?? 0;
          await run.commit((tx) => run.progress(tx, { imported: 1 }, { at: from + 1 }));
          if (isBroken) throw new RelationFailed('broken');
        },
        { failsEntity: true },
      ),
      world.step('third', 3, () => Promise.resolve()),
    ];
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'failed', has_failures: true });
    const [entity] = await world.entities(id);
    const entityId = (entity as Row).id;
    expect((await world.relations(entityId)).map(({ status }) => status)).toEqual([
      'finished',
      'finished',
      'failed',
      'skipped',
    ]);
    isBroken = false;
    expect(await resume(entityId)).toBe('resumed');
    expect(await world.ended(id)).toMatchObject({
      status: 'finished',
      has_failures: false,
      source_token_sealed: null,
    });
    expect(runs).toBe(1);
    expect(await relationOf(entityId, 'second')).toMatchObject({ cursor: { at: 2 }, imported_count: 2 });
    expect(world.source.calls.filter((call) => call.startsWith('export'))).toHaveLength(2);
    expect(await world.failures(entityId)).toEqual([]);
  });

  it('needs the token, which is kept for a day', async () => {
    world.pipelines = [];
    world.steps = [world.shell({ run: () => Promise.reject(new RelationFailed('broken')) })];
    const id = await world.import();
    await world.ended(id);
    const [entity] = await world.entities(id);
    await world.get(OldImportsService).forgetTokens();
    expect((await world.find(id))['source_token_sealed']).not.toBeNull();
    await world.api.sql(`update bulk_imports set updated_at = now() - interval '25 hours' where id = $1`, [
      id,
    ]);
    await world.get(OldImportsService).forgetTokens();
    expect((await world.find(id))['source_token_sealed']).toBeNull();
    expect(await resume((entity as Row).id)).toBe('token_forgotten');
    expect(await resume(987_654)).toBe('not_failed');
  });
});

describe('the watch', () => {
  it('resumes imports, entities and relations that have lost their jobs', async () => {
    world.source.files.set('group labels', [labelLines('a')]);
    const created = await world.import(['old'], false);
    const begun = await world.import(['old'], false);
    await world.api.sql(`update bulk_imports set status = 'started' where id = $1`, [begun]);
    await world.api.sql(`update bulk_import_entities set status = 'started' where bulk_import_id = $1`, [
      begun,
    ]);
    const { entityId } = await world.relation();
    await world.get(LostWorkService).takeUp();
    for (const id of [created, begun]) expect(await world.ended(id)).toMatchObject({ status: 'finished' });
    await until(async () => (await relationOf(entityId))['status'] === 'finished');
    await world.idle();
    await world.get(LostWorkService).takeUp();
    await world.idle();
  });

  it('ends imports without progress, and no others', async () => {
    const stale = await world.import(['old'], false);
    const fresh = await world.import(['old'], false);
    const old = `now() - interval '25 hours'`;
    for (const id of [stale, fresh]) {
      await world.api.sql(`update bulk_imports set status = 'started', updated_at = ${old} where id = $1`, [
        id,
      ]);
      await world.api.sql(
        `update bulk_import_entities set status = 'started', updated_at = ${old} where bulk_import_id = $1`,
        [id],
      );
    }
    const [entity] = await world.entities(fresh);
    await world.api.sql(
      `insert into bulk_import_relations (entity_id, relation, stage, status) values ($1, 'labels', 1, 'started')`,
      [(entity as Row).id],
    );
    await world.get(OldImportsService).timeOut(new AbortController().signal);
    expect(await world.find(stale)).toMatchObject({ status: 'failed', timed_out: true, has_failures: true });
    expect((await world.entities(stale))[0]).toMatchObject({ timed_out: true, has_failures: true });
    expect(await world.find(fresh)).toMatchObject({ status: 'started' });
    await cancel(fresh);
  });

  it('removes files of ended runs, and keeps those that may be in use', async () => {
    const { root } = world.get(ImportFolderService);
    const { relationId } = await world.relation();
    const token = '00000000-0000-4000-8000-00000000000';
    const folder = (name: string): string => join(root, name);
    for (const name of [`${relationId}-${token}1`, `${relationId}-${token}2`, `9-${token}3`, 'something']) {
      mkdirSync(folder(name), { recursive: true });
      if (!name.endsWith('3')) utimesSync(folder(name), new Date(0), new Date(0));
    }
    await world.api.sql(`update bulk_import_relations set status = 'started', run_token = $2 where id = $1`, [
      relationId,
      `${token}1`,
    ]);
    const stuck = folder(`8-${token}4`);
    makeUnremovable(stuck);
    utimesSync(stuck, new Date(0), new Date(0));
    const warned = jest.spyOn(Logger.prototype, 'warn');
    try {
      for (let time = 1; time <= 2; time += 1)
        await world.get(ImportSweepService).run(new AbortController().signal);
      expect(warned.mock.calls.filter(([line]) => String(line).includes(stuck))).toHaveLength(1);
    } finally {
      warned.mockRestore();
      removeUnremovable(stuck);
    }
    expect(readdirSync(root).sort()).toEqual([`9-${token}3`, `${relationId}-${token}1`, 'something'].sort());
    expect(existsSync(folder(`${relationId}-${token}2`))).toBe(false);
  });
});
