import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readdirSync } from 'node:fs';
import { RunRelationProcessor } from '#features/bulk-imports/engine/processors/run-relation.processor.js';
import { ImportFolderService } from '#features/bulk-imports/engine/records/files/import-folder.service.js';
import { SourceRefused } from '#features/bulk-imports/source/source-errors.js';
import { EngineWorld, labelLines, type Row } from '../../../support/bulk-imports/engine-world.js';
import { finished } from '../../../support/bulk-imports/memory-source.js';
import { until } from '../../../support/until.js';
import { runs } from '../../../support/runs.js';

let world: EngineWorld;
beforeAll(async () => {
  world = await EngineWorld.start();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

/** A lost worker, as the code that it runs sees it. */
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

describe('records', () => {
  it('are imported once, however they are split and whenever runs are lost', async () => {
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
          world.committed = inLoad ? () => undefined : maybeDie;
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
      { numRuns: runs(40) },
    );
  });

  it('are imported once by many simultaneous runs', async () => {
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
    expect(readdirSync(world.get(ImportFolderService).root)).toEqual([]);
  });

  it('are read from the start of a file that the source has rewritten', async () => {
    world.limits.batchRows = 2;
    world.source.files.set('group labels', [labelLines('a', 'b', 'c', 'd')]);
    let commits = 0;
    world.committed = () => {
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

  it('are all read if the source exports again in other batches, between two runs or during one', async () => {
    world.source.batched.add('labels');
    let edition = 'one';
    world.source.status = () => finished({ batched: true, batchesCount: 3, edition });
    const exportOf = (...titles: readonly string[]): void => {
      world.source.files.set('group labels', [
        labelLines(...titles.slice(0, 2)),
        labelLines(...titles.slice(2, 4)),
        labelLines(...titles.slice(4)),
      ]);
    };
    const all = ['b', 'c', 'd', 'e', 'f', 'g'].map((title) => `labels ${title}`);
    for (const isLost of [true, false]) {
      edition = 'one';
      exportOf('a', 'b', 'c', 'd', 'e', 'f');
      let commits = 0;
      world.committed = () => {
        if (++commits !== 1) return;
        // One record was removed, so that the others moved to earlier batches.
        edition = 'two';
        exportOf('b', 'c', 'd', 'e', 'f', 'g');
        if (isLost) throw lost();
      };
      const { entityId, relationId, groupId } = await world.relation();
      await runToEnd(entityId, relationId);
      expect(await world.labelsOf(groupId)).toEqual(['labels a', ...all]);
      expect(await relationOf(entityId)).toMatchObject({ status: 'finished', fetched_count: 6 });
    }
  });

  it('are reported once if they fail again because the source has exported again', async () => {
    world.source.batched.add('labels');
    let edition = 'one';
    world.source.status = () => finished({ batched: true, batchesCount: 2, edition });
    world.source.files.set('group labels', [`{"title":"bad"}\n${labelLines('a')}`, labelLines('b')]);
    let commits = 0;
    world.committed = () => {
      if (++commits !== 1) return;
      edition = 'two';
      throw lost();
    };
    const { entityId, relationId } = await world.relation();
    await runToEnd(entityId, relationId);
    expect(await relationOf(entityId)).toMatchObject({ status: 'finished', failed_count: 1 });
    const failures = 'select source_title from bulk_import_failures where entity_id = $1';
    expect(await world.api.sql(failures, [entityId])).toEqual([{ source_title: 'bad' }]);
  });

  it('are reported once if they fail again because the source has rewritten a file', async () => {
    world.limits.batchRows = 1;
    world.source.batched.add('labels');
    const bad = (title: string): string => `{"title":"${title}"}\n`;
    const first = bad('before') + labelLines('a');
    world.source.files.set('group labels', [first, bad('bad') + labelLines('b', 'c')]);
    let commits = 0;
    world.committed = () => {
      if (++commits !== 4) return;
      world.source.files.set('group labels', [first, bad('bad') + labelLines('b', 'c', 'd')]);
      throw lost();
    };
    const { entityId, relationId } = await world.relation();
    await runToEnd(entityId, relationId);
    expect(await relationOf(entityId)).toMatchObject({
      status: 'finished',
      fetched_count: 6,
      imported_count: 4,
      failed_count: 2,
    });
    const failures = 'select source_title from bulk_import_failures where entity_id = $1 order by id';
    expect(await world.api.sql(failures, [entityId])).toEqual(
      ['before', 'bad'].map((title) => ({ source_title: title })),
    );
  });

  it('are awaited if the source replaces its files while they are read', async () => {
    world.source.batched.add('labels');
    world.source.files.set('group labels', [labelLines('a'), labelLines('b')]);
    let statuses = 0;
    world.source.status = () => {
      statuses += 1;
      const status = statuses === 2 ? 'started' : 'finished';
      return finished({ status, batched: true, batchesCount: 2, edition: statuses > 1 ? 'two' : 'one' });
    };
    world.source.before = (call) => {
      if (call === 'download labels 2' && statuses === 1) throw new SourceRefused('Not found', 404);
    };
    const { entityId, relationId, groupId } = await world.relation();
    await runToEnd(entityId, relationId);
    expect(await world.labelsOf(groupId)).toEqual(['labels a', 'labels b']);
    expect(await relationOf(entityId)).toMatchObject({ status: 'finished', imported_count: 2 });
  });

  it('are not changed by a run whose relation another run has taken over', async () => {
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
