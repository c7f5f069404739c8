import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Transactions } from '#kernel/database/transactions.js';
import { BulkImportCancellation } from '#features/bulk-imports/engine/control/bulk-import-cancellation.js';
import { EntityResume, type Resumption } from '#features/bulk-imports/engine/control/entity-resume.js';
import { ImportObserver } from '#features/bulk-imports/engine/import-observer.js';
import { RunRelationProcessor } from '#features/bulk-imports/engine/processors/run-relation.processor.js';
import { ImportFolder } from '#features/bulk-imports/engine/records/import-folder.js';
import { RelationFailed } from '#features/bulk-imports/engine/runs/run-ended.js';
import { ImportSweep } from '#features/bulk-imports/watch/import-sweep.js';
import { LostWork } from '#features/bulk-imports/watch/lost-work.js';
import { OldImports } from '#features/bulk-imports/watch/old-imports.js';
import { EngineWorld, labelLines, type Row } from '../support/bulk-imports/engine-world.js';
import { until } from '../support/until.js';

let world: EngineWorld;
beforeAll(async () => {
  world = await EngineWorld.start();
});
afterAll(() => world.close());
beforeEach(() => {
  world.reset();
  world.get(ImportObserver).committed = () => undefined;
});

/** How a worker is lost for the code that it runs. */
const lost = (): Error => Object.assign(new Error('Connection terminated'), { code: '08006' });

const relationOf = async (entityId: number, name = 'labels'): Promise<Row> =>
  (await world.relations(entityId)).find(({ relation }) => relation === name) as Row;

/** Runs a relation as a worker would, until it has ended. */
async function runToEnd(entityId: number, relationId: number): Promise<number> {
  for (let runs = 1; ; runs += 1) {
    await world
      .get(RunRelationProcessor)
      .process({ relationId }, world.context())
      .catch((error: unknown) => {
        if ((error as Error).message !== lost().message) throw error;
      });
    const { status } = await relationOf(entityId);
    if (status !== 'started' && status !== 'enqueued') return runs;
  }
}

async function cancel(importId: number): Promise<boolean> {
  return world.get(Transactions).run((tx) => world.get(BulkImportCancellation).cancel(tx, importId));
}

async function resume(entityId: number): Promise<Resumption> {
  return world.get(Transactions).run((tx) => world.get(EntityResume).resume(tx, entityId));
}

describe('records', () => {
  it('are brought over once, however they are split and whenever runs are lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          files: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 4 }),
          rows: fc.integer({ min: 1, max: 5 }),
          bad: fc.array(fc.nat(35), { maxLength: 4 }),
          losses: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 }),
          inLoad: fc.boolean(),
        }),
        async ({ files, rows, bad, losses, inLoad }) => {
          world.reset();
          world.limits.batchRows = rows;
          world.source.batched.add('labels');
          let number = 0;
          const kinds = new Map<string, number>();
          const texts = files.map((count) =>
            Array.from({ length: count }, () => {
              const isBad = bad.includes(++number);
              kinds.set(String(isBad), (kinds.get(String(isBad)) ?? 0) + 1);
              return isBad ? `{"title":"l${number}"}\n` : labelLines(`l${number}`);
            }).join(''),
          );
          world.source.files.set('group labels', texts);
          const left = [...losses];
          let commits = 0;
          const maybeDie = (): void => {
            commits += 1;
            if (commits !== left[0]) return;
            left.shift();
            commits = 0;
            throw lost();
          };
          world.get(ImportObserver).committed = inLoad ? () => undefined : maybeDie;
          world.parts = inLoad
            ? [
                {
                  of: 'group',
                  relation: 'labels',
                  userIds: () => [],
                  load: () => Promise.resolve().then(maybeDie),
                },
              ]
            : [];
          const { entityId, relationId, groupId } = await world.relation();
          await runToEnd(entityId, relationId);
          const good = kinds.get('false') ?? 0;
          expect(await relationOf(entityId)).toMatchObject({
            status: 'finished',
            fetched_count: number,
            imported_count: good,
            failed_count: number - good,
            batch_number: files.length,
          });
          const labels = await world.labelsOf(groupId);
          expect(new Set(labels).size).toBe(labels.length);
          expect(labels).toHaveLength(good);
          expect(await world.failures(entityId)).toHaveLength(number - good);
          const kept = await world.api.sql('select 1 from bulk_import_records where entity_id = $1', [
            entityId,
          ]);
          expect(kept).toHaveLength(good);
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  it('are brought over once by many runs at the same time', async () => {
    world.limits.batchRows = 3;
    world.labels.pauseMs = 5;
    world.source.files.set('group labels', [
      labelLines(...Array.from({ length: 60 }, (_, number) => `l${number}`)),
    ]);
    const { entityId, relationId, groupId } = await world.relation();
    const processor = world.get(RunRelationProcessor);
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 3 }, () => processor.process({ relationId }, world.context())));
    await runToEnd(entityId, relationId);
    expect(await relationOf(entityId)).toMatchObject({
      fetched_count: 60,
      imported_count: 60,
      failed_count: 0,
    });
    expect(await world.labelsOf(groupId)).toHaveLength(60);
    expect(readdirSync(world.get(ImportFolder).root)).toEqual([]);
  });

  it('are read from the beginning of a file that the source has written anew', async () => {
    world.limits.batchRows = 2;
    world.source.files.set('group labels', [labelLines('a', 'b', 'c', 'd')]);
    let commits = 0;
    world.get(ImportObserver).committed = () => {
      if (++commits === 1) throw lost();
    };
    const { entityId, relationId, groupId } = await world.relation();
    await expect(world.get(RunRelationProcessor).process({ relationId }, world.context())).rejects.toThrow(
      'Connection terminated',
    );
    expect(await relationOf(entityId)).toMatchObject({ lines_done: 2, fetched_count: 2 });
    world.source.files.set('group labels', [labelLines('new', 'c', 'a', 'b', 'd')]);
    await runToEnd(entityId, relationId);
    expect(await relationOf(entityId)).toMatchObject({ fetched_count: 5, imported_count: 5 });
    expect(await world.labelsOf(groupId)).toEqual(
      ['a', 'b', 'c', 'd', 'new'].map((title) => `labels ${title}`),
    );
    const again = await world.relation();
    await world.api.sql(
      `update bulk_import_relations set batch_number = 3, cursor = '{"batched": true, "digest": "x"}' where id = $1`,
      [again.relationId],
    );
    await runToEnd(again.entityId, again.relationId);
    expect(await world.labelsOf(again.groupId)).toHaveLength(5);
  });

  it('are not changed any more by a run whose relation another one has taken', async () => {
    world.source.files.set('group labels', [labelLines('a', 'b')]);
    const { entityId, relationId, groupId } = await world.relation();
    let sleeping: Promise<void> | undefined;
    let wake: () => void = () => undefined;
    world.source.before = (call) => {
      if (!call.startsWith('download') || sleeping) return;
      return (sleeping = new Promise((resolve) => (wake = resolve)));
    };
    const late = world.get(RunRelationProcessor).process({ relationId }, world.context());
    await until(() => sleeping !== undefined);
    await runToEnd(entityId, relationId);
    wake();
    await late;
    expect(await relationOf(entityId)).toMatchObject({
      status: 'finished',
      imported_count: 2,
      fetched_count: 2,
    });
    expect(await world.labelsOf(groupId)).toHaveLength(2);
    await world.idle();
  });
});

describe('cancelling', () => {
  it('stops running relations at their next commit, and what is there stays', async () => {
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

  it('ends an import that nobody has begun, and one whose importer is blocked', async () => {
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
      expect.objectContaining({ exception_message: 'The user who migrates is not active any more' }),
    ]);
  });
});

describe('resuming', () => {
  it('goes on after the last committed batch, asks for a new export and keeps what has finished', async () => {
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
    await world.get(OldImports).forgetTokens();
    expect((await world.find(id))['source_token_sealed']).not.toBeNull();
    await world.api.sql(`update bulk_imports set updated_at = now() - interval '25 hours' where id = $1`, [
      id,
    ]);
    await world.get(OldImports).forgetTokens();
    expect((await world.find(id))['source_token_sealed']).toBeNull();
    expect(await resume((entity as Row).id)).toBe('token_forgotten');
    expect(await resume(987_654)).toBe('not_failed');
  });
});

describe('the watch', () => {
  it('takes up imports, entities and relations that have lost their jobs', async () => {
    world.source.files.set('group labels', [labelLines('a')]);
    const created = await world.import(['old'], false);
    const begun = await world.import(['old'], false);
    await world.api.sql(`update bulk_imports set status = 'started' where id = $1`, [begun]);
    await world.api.sql(`update bulk_import_entities set status = 'started' where bulk_import_id = $1`, [
      begun,
    ]);
    const { entityId } = await world.relation();
    await world.get(LostWork).takeUp();
    for (const id of [created, begun]) expect(await world.ended(id)).toMatchObject({ status: 'finished' });
    await until(async () => (await relationOf(entityId))['status'] === 'finished');
    await world.idle();
    await world.get(LostWork).takeUp();
    await world.idle();
  });

  it('ends what nothing happens in any more, and nothing else', async () => {
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
    await world.get(OldImports).timeOut();
    expect(await world.find(stale)).toMatchObject({ status: 'failed', timed_out: true, has_failures: true });
    expect((await world.entities(stale))[0]).toMatchObject({ timed_out: true, has_failures: true });
    expect(await world.find(fresh)).toMatchObject({ status: 'started' });
    await cancel(fresh);
  });

  it('removes files of runs that are gone, and leaves those that may be in use', async () => {
    const { root } = world.get(ImportFolder);
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
    await world.get(ImportSweep).run(new AbortController().signal);
    expect(readdirSync(root).sort()).toEqual([`9-${token}3`, `${relationId}-${token}1`, 'something'].sort());
    expect(existsSync(folder(`${relationId}-${token}2`))).toBe(false);
  });
});
