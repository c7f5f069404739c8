import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BulkImportProgressQueries } from '#features/bulk-imports/engine/control/bulk-import-progress.queries.js';
import { RelationFailed } from '#features/bulk-imports/engine/runs/run-ended.js';
import { SourceRefused } from '#features/bulk-imports/source/source-errors.js';
import { EngineWorld, labelLines, type Row } from '../../../support/bulk-imports/engine-world.js';
import { finished } from '../../../support/bulk-imports/memory-source.js';
import { until } from '../../../support/until.js';

let world: EngineWorld;
beforeAll(async () => {
  world = await EngineWorld.start();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

async function entityOf(importId: number): Promise<Row> {
  const [entity] = await world.entities(importId);
  return entity as Row;
}

describe('an import', () => {
  it('imports records and discards the token of its source', async () => {
    world.source.files.set('group labels', [labelLines('a', 'b'), labelLines('c')]);
    world.source.batched.add('labels');
    world.source.status = (relation) =>
      relation === 'labels' ? finished({ batched: true, batchesCount: 2, objectsCount: 3 }) : undefined;
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({
      status: 'finished',
      has_failures: false,
      source_token_sealed: null,
    });
    const entity = await entityOf(id);
    expect(entity).toMatchObject({ status: 'finished', source_id: 7_000, has_failures: false });
    expect(await world.labelsOf(entity['namespace_id'] as number)).toEqual([
      'labels a',
      'labels b',
      'labels c',
    ]);
    expect(await world.get(BulkImportProgressQueries).ofImport(id)).toEqual([
      expect.objectContaining({
        id: entity.id,
        status: 'finished',
        relations: [
          { relation: 'group', status: 'finished', source: 0, fetched: 0, imported: 0, failed: 0 },
          { relation: 'labels', status: 'finished', source: 3, fetched: 3, imported: 3, failed: 0 },
        ],
      }),
    ]);
    expect(world.source.calls.slice(0, 2)).toEqual(['get /groups/old', 'export group 7000']);
  });

  it('skips records that are malformed, refused or cannot be written, and reports them', async () => {
    const lines = [
      ...Array.from({ length: 20 }, (_, number) => labelLines(`l${number}`)),
      'no json\n',
      '{"color":"#112233"}\n',
      labelLines('refused'),
      '{"title":"colourless"}\n',
      labelLines('l3'),
      '{"title":"zero\\u0000","color":"#112233","description":"\\u0000"}\n',
    ];
    world.source.files.set('group labels', [lines.join('')]);
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: true });
    const entity = await entityOf(id);
    const relation = (await world.relations(entity.id)).at(-1);
    expect(relation).toMatchObject({
      status: 'finished',
      fetched_count: 26,
      imported_count: 21,
      failed_count: 4,
    });
    expect(await world.labelsOf(entity['namespace_id'] as number)).toHaveLength(21);
    const failures = await world.failures(entity.id);
    expect(failures.map((row) => [row['step'], row['exception_class'], row['source_title']])).toEqual([
      ['extractor', 'MalformedLine', 'Line 21'],
      ['transformer', 'RecordRefused', null],
      ['transformer', 'RecordRefused', 'refused'],
      ['loader', expect.any(String), 'colourless'],
    ]);
    expect(failures[0]).toMatchObject({
      relation: 'labels',
      pipeline_class: 'LabelsPipeline',
      exception_message: 'Line 21 is not a JSON object',
      correlation_id_value: expect.stringMatching(/./),
      source_url: 'https://old.example/old',
    });
  });

  it('keeps a bounded number of failures and counts them all', async () => {
    world.limits.failuresKept = 7;
    world.limits.batchRows = 4;
    world.source.files.set('group labels', ['broken\n'.repeat(30)]);
    const id = await world.import();
    await world.ended(id);
    const entity = await entityOf(id);
    expect(await world.failures(entity.id)).toHaveLength(7);
    expect((await world.relations(entity.id)).at(-1)).toMatchObject({ failed_count: 30, fetched_count: 30 });
  });

  it('matches users by confirmed address and queries each once', async () => {
    const { body } = await world.api.root.post<{ id: number }>('/users', {
      username: 'known',
      name: 'Known',
      email: 'known@example.com',
      password: 'correct horse battery',
      skip_confirmation: true,
    });
    await world.api.root.post('/users', {
      username: 'unconfirmed',
      name: 'Unconfirmed',
      email: 'unconfirmed@example.com',
      password: 'correct horse battery',
    });
    await world.api.sql(`update users set confirmed_at = null where username = 'unconfirmed'`);
    const user = (id: number, username: string, email: string): void =>
      void world.source.users.set(id, { id, username, name: username, public_email: email });
    user(11, 'them', 'Known@Example.com');
    user(12, 'other', 'unconfirmed@example.com');
    const line = (title: string, author: number | null): string =>
      `${JSON.stringify({ title, color: '#112233', author_id: author, description: 'https://old.example/old/-/epics/1' })}\n`;
    world.limits.batchRows = 2;
    world.source.files.set('group labels', [
      line('a', 11) + line('b', 12) + line('c', 13) + line('d', null) + line('e', 11),
    ]);
    const id = await world.import();
    await world.ended(id);
    const { namespace_id: groupId } = await entityOf(id);
    const [group] = await world.api.sql<{ path: string }>(
      'select full_path as path from namespaces where id = $1',
      [groupId],
    );
    const labels = await world.api.sql<{ description: string }>(
      'select description from labels where group_id = $1 order by title',
      [groupId],
    );
    const link = `http://forgeplane.test/${group?.path}/-/epics/1`;
    expect(labels.map(({ description }) => description)).toEqual([
      `${body.id} - ${link}`,
      `1 other ${link}`,
      `1 - ${link}`,
      `1 - ${link}`,
      `${body.id} - ${link}`,
    ]);
    expect(world.source.calls.filter((call) => call.startsWith('get /users'))).toEqual([
      'get /users/11',
      'get /users/12',
      'get /users/13',
    ]);
  });

  it('runs stages one after another, and continues with other relations when one fails', async () => {
    const events: string[] = [];
    const noted = (name: string, stage: number, error?: Error): ReturnType<EngineWorld['step']> =>
      world.step(name, stage, async () => {
        events.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 50));
        events.push(`${name} ends`);
        if (error) throw error;
      });
    world.pipelines = [];
    world.steps = [
      world.shell(),
      noted('one', 1),
      noted('two', 1, new RelationFailed('It cannot be brought over')),
      noted('three', 3),
    ];
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: true });
    expect(events.slice(-2)).toEqual(['three begins', 'three ends']);
    expect(events).toHaveLength(6);
    const entity = await entityOf(id);
    expect((await world.relations(entity.id)).map(({ status }) => status)).toEqual([
      'finished',
      'finished',
      'failed',
      'finished',
    ]);
    expect(await world.failures(entity.id)).toEqual([
      expect.objectContaining({
        step: 'pipeline_worker_run',
        exception_message: 'It cannot be brought over',
      }),
    ]);
  });

  it('fails entities without a shell, an export or any successful relation, while their siblings finish', async () => {
    world.source.files.set('group labels', [labelLines('a')]);
    const shell = world.shell();
    world.steps = [
      world.shell({
        run: (run) =>
          run.entity.sourceFullPath === 'no-shell'
            ? Promise.reject(new SourceRefused('No group'))
            : shell.run(run),
      }),
    ];
    world.source.before = (call) => {
      if (call === 'get /groups/hidden') throw new SourceRefused('404 Group Not Found', 404);
    };
    const id = await world.import(['no-shell', 'hidden', 'fine']);
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: true });
    const entities = await world.entities(id);
    expect(entities.map(({ status, has_failures: failed }) => [status, failed])).toEqual([
      ['failed', true],
      ['failed', true],
      ['finished', false],
    ]);
    expect((await world.relations(entities[0]?.id ?? 0)).map(({ status }) => status)).toEqual([
      'failed',
      'skipped',
    ]);
    expect(await world.failures(entities[1]?.id ?? 0)).toEqual([
      expect.objectContaining({ relation: 'export_request', exception_message: '404 Group Not Found' }),
    ]);
    expect((await world.find(id))['source_token_sealed']).not.toBeNull();
    world.steps = [world.shell({ failsEntity: false, run: () => Promise.reject(new RelationFailed('no')) })];
    world.pipelines = [];
    expect(await world.ended(await world.import())).toMatchObject({ status: 'failed' });
  });

  it('runs a bounded number of entities at a time, including children', async () => {
    world.limits.entitiesAtOnce = 2;
    world.pipelines = [];
    let now = 0;
    let most = 0;
    world.steps = [
      world.shell({
        run: async (run) => {
          most = Math.max(most, ++now);
          // On a busy machine the second one may start late.
          await until(() => most >= 2);
          await new Promise((resolve) => setTimeout(resolve, 30));
          now -= 1;
          if (run.entity.parentId === null)
            await run.commit((tx) =>
              tx.query(
                `insert into bulk_import_entities (bulk_import_id, parent_id, source_type, source_full_path, destination_slug, destination_namespace)
                 values ($1, $2, 'group_entity', $3, 'child', 'x') on conflict do nothing`,
                [run.entity.importId, run.entity.id, `${run.entity.sourceFullPath}/child`],
              ),
            );
        },
      }),
    ];
    const id = await world.import(['a', 'b', 'c', 'd']);
    expect(await world.ended(id)).toMatchObject({ status: 'finished' });
    const entities = await world.entities(id);
    expect(entities).toHaveLength(8);
    expect(new Set(entities.map(({ status }) => status))).toEqual(new Set(['finished']));
    expect(most).toBe(2);
  });
});
