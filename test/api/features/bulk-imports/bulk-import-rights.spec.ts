import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StepRun } from '#features/bulk-imports/engine/entity-step.js';
import { EngineWorld, labelLines, type Row } from '../../../support/bulk-imports/engine-world.js';
import { LabelPipeline } from '../../../support/bulk-imports/label-pipeline.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';

let world: EngineWorld;
let importer: CreatedUser;
let made: number;
beforeAll(async () => {
  world = await EngineWorld.start();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.reset();
  importer = await createUser(world.api);
  world.steps = [world.shell({ run: ownGroup })];
  world.source.files.set('group labels', [labelLines('a', 'b')]);
});

/** Creates the group as the importing user, who becomes its owner. */
async function ownGroup(run: StepRun): Promise<void> {
  const path = `of-${importer.username}`;
  const { body } = await importer.client.post<{ id: number }>('/groups', { name: path, path });
  made = body.id;
  await run.commit(async (tx) => {
    await tx.query('update bulk_import_entities set namespace_id = $2 where id = $1', [run.entity.id, made]);
  });
}

async function failuresOf(importId: number): Promise<Row[]> {
  const [entity] = await world.entities(importId);
  return world.failures((entity as Row).id);
}

describe('an importing user', () => {
  it('can write only where they have the rights', async () => {
    const id = await world.import(['old'], true, importer.id);
    expect(await world.ended(id)).toMatchObject({ status: 'finished', has_failures: false });
    expect(await world.labelsOf(made)).toEqual(['labels a', 'labels b']);
  });

  it.each([
    ['has left', () => world.api.sql('delete from members where user_id = $1', [importer.id])],
    [
      'is less',
      () => world.api.sql('update members set access_level = 40 where user_id = $1', [importer.id]),
    ],
  ])('who %s can no longer write or resume', async (_, lose) => {
    const leave = async (): Promise<void> => {
      await lose();
    };
    world.steps.push(world.step('leaving', 1, leave));
    world.steps.push(
      world.step('late', 2, async (run) => {
        await run.commit((tx) =>
          tx.query(`insert into labels (group_id, title, color) values ($1, 'late', '#112233')`, [made]),
        );
      }),
    );
    world.pipelines = [new LabelPipeline('labels', 2)];
    const id = await world.import(['old'], true, importer.id);
    await world.ended(id);
    expect(await world.labelsOf(made)).toEqual([]);
    const failures = await failuresOf(id);
    expect(failures.map((one) => [one['relation'], one['exception_class']]).sort()).toEqual([
      ['labels', 'RightLost'],
      ['late', 'RightLost'],
    ]);
  });

  it('is checked again during a long run', async () => {
    world.steps.push(
      world.step('long', 1, async (run) => {
        await run.commit((tx) =>
          tx.query(`insert into labels (group_id, title, color) values ($1, 'one', '#112233')`, [made]),
        );
        await world.api.sql('update users set state = $2 where id = $1', [importer.id, 'blocked']);
        await run.commit((tx) =>
          tx.query(`insert into labels (group_id, title, color) values ($1, 'two', '#112233')`, [made]),
        );
      }),
    );
    world.pipelines = [];
    const id = await world.import(['old'], true, importer.id);
    await world.ended(id);
    expect(await world.labelsOf(made)).toEqual(['one']);
    const failures = await failuresOf(id);
    expect(failures.map((one) => one['exception_class'])).toEqual(['RightLost']);
  });
});
