import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { SourceBusy } from '#features/bulk-imports/source/source-errors.js';
import { EngineWorld, labelLines, type Row } from '../../../support/bulk-imports/engine-world.js';
import { LabelPipeline } from '../../../support/bulk-imports/label-pipeline.js';
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

describe('the export of a source', () => {
  it('is awaited', async () => {
    let asked = 0;
    world.source.files.set('group labels', [labelLines('a')]);
    world.source.status = () => {
      asked += 1;
      if (asked === 1) return null;
      return asked < 4 ? finished({ status: asked === 2 ? 'pending' : 'started' }) : undefined;
    };
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect(asked).toBe(4);
  });

  it.each([
    ['Empty export status on source instance', null, { emptyStatusMs: 0 }],
    ['Pipeline timeout', finished({ status: 'started' }), { exportMs: 0 }],
    ['Export from source instance failed: disk full', finished({ status: 'failed', error: 'disk full' }), {}],
    [
      'The source has split the relation into 9 files',
      finished({ batched: true, batchesCount: 9 }),
      { files: 8 },
    ],
  ])('fails with: %s', async (message, status, limits) => {
    Object.assign(world.limits, limits);
    world.source.status = () => status;
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ has_failures: true });
    const entity = await entityOf(id);
    expect(await world.failures(entity.id)).toEqual([
      expect.objectContaining({
        relation: 'labels',
        step: 'pipeline_worker_run',
        exception_message: message,
      }),
    ]);
  });

  it('may lack relations that only some sources have', async () => {
    world.labels.isExtension = true;
    world.limits.emptyExtensionMs = 0;
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect((await world.relations((await entityOf(id)).id)).at(-1)).toMatchObject({ status: 'skipped' });
  });

  it('is not awaited if the source reports that it will never come', async () => {
    world.labels.isExtension = true;
    world.source.never.add('labels');
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect((await world.relations((await entityOf(id)).id)).at(-1)).toMatchObject({ status: 'skipped' });
    expect(world.source.calls.filter((call) => call.startsWith('status'))).toHaveLength(1);
  });

  it('times out from its request on, not from the stage of each relation on', async () => {
    const late = new LabelPipeline('late', 2);
    late.isExtension = true;
    world.pipelines = [late];
    world.limits.emptyExtensionMs = 300;
    world.steps = [world.shell(), world.step('long', 1, () => sleep(400))];
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect((await world.relations((await entityOf(id)).id)).at(-1)).toMatchObject({ status: 'skipped' });
    expect(world.source.calls.filter((call) => call.startsWith('status'))).toHaveLength(1);
  });
});

describe('a busy source', () => {
  it('is retried as often as allowed for each kind of error, and not earlier than it requests', async () => {
    world.source.files.set('group labels', [labelLines('a')]);
    const times: number[] = [];
    world.source.before = (call) => {
      if (!call.startsWith('download')) return;
      times.push(Date.now());
      if (times.length === 1) throw new SourceBusy('Slow down', 'http_429', 400);
      if (times.length < 11) throw new SourceBusy('Bad gateway', 'http_502', 0);
    };
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(400);
    expect((await world.relations((await entityOf(id)).id)).at(-1)).toMatchObject({
      retries: { http_429: 1, http_502: 9 },
    });
  });

  it('finally fails the relation, or an entity that cannot start', async () => {
    world.limits.retriesOfKind = 2;
    world.source.files.set('group labels', [labelLines('a')]);
    world.source.before = (call) => {
      if (call.startsWith('download') || call.includes('down'))
        throw new SourceBusy('Bad gateway', 'http_502', 0);
    };
    const id = await world.import(['old', 'down']);
    expect(await world.ended(id)).toMatchObject({ has_failures: true, status: 'finished' });
    const [first, second] = await world.entities(id);
    for (const entity of [first, second])
      expect(await world.failures((entity as Row).id)).toEqual([
        expect.objectContaining({ exception_class: 'SourceBusy', exception_message: 'Bad gateway' }),
      ]);
    expect(second).toMatchObject({ status: 'failed' });
    expect(
      world.source.calls.filter((call) => call.includes('down') && !call.startsWith('download')),
    ).toHaveLength(3);
  });

  it('may be asked for users again later, and records are written once', async () => {
    let asked = 0;
    world.source.before = (call) => {
      if (call.startsWith('get /users') && ++asked === 2) throw new SourceBusy('Bad gateway', 'http_502', 0);
    };
    world.limits.batchRows = 1;
    world.source.files.set('group labels', [
      [1, 2, 3]
        .map((id) => `${JSON.stringify({ title: `u${id}`, color: '#112233', author_id: id })}\n`)
        .join(''),
    ]);
    world.pipelines = [new LabelPipeline()];
    const id = await world.import();
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    const entity = await entityOf(id);
    expect((await world.relations(entity.id)).at(-1)).toMatchObject({ fetched_count: 3, imported_count: 3 });
    await until(async () => (await world.labelsOf(entity['namespace_id'] as number)).length === 3);
  });
});
