import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import type { TestApi } from '../../../support/api.js';
import { addGroup } from '../../../support/builders/instance.js';
import { addMove } from '../../../support/builders/storage-move.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import type { PageClient, PageReply } from '../../../support/page-client.js';
import {
  ESCAPED,
  HOSTILE,
  MOVES_PAGE as PATH,
  startMoveWorld,
  textOf,
  type MoveWorld,
} from '../../../support/storage-move-pages.js';
import { until } from '../../../support/until.js';

let world: MoveWorld;
let api: TestApi;
let admin: PageClient;
beforeAll(async () => {
  world = await startMoveWorld();
  ({ api, admin } = world);
  await admin.get(PATH);
});
afterAll(() => world.close());
const project = (name?: string): Promise<number> => world.project(name);

interface Scheduled {
  readonly id: number;
  readonly state: string;
  readonly source: string;
  readonly destination: string;
  readonly by: number;
}
const movesOf = (ownerId: number, type = 'Project'): Promise<Scheduled[]> =>
  api.sql<Scheduled>(
    `select id, state, source_storage as source, destination_storage as destination, user_id as by
     from storage_moves where owner_type = $2 and owner_id = $1 order by id`,
    [ownerId, type],
  );
const pathOf = async (id: number): Promise<string> => {
  const [row] = await api.sql<{ path: string }>(
    `select initcap(full_path) as path from projects where id = $1`,
    [id],
  );
  return row?.path ?? '';
};
const counted = async (): Promise<unknown> =>
  api.sql(`select (select count(*) from storage_moves) as moves,
    (select count(*) from background_jobs where name = 'storage-moves.schedule') as jobs`);

/** The errors of a form: summary with links to the fields, and the same text at each. */
function errorsOf({ status, text }: PageReply): [string, string][] {
  expect([status, text.includes('<title>Errors: Storage moves')]).toEqual([422, true]);
  const summary = /id="errors"[\s\S]*?<\/ul>/.exec(text)?.[0] ?? '';
  const links = [...summary.matchAll(/<a href="#([\w-]+)">([^<]*)<\/a>/g)].map(
    ([, id = '', message = '']): [string, string] => [id, message],
  );
  for (const [id, message] of links) {
    expect(text).toMatch(new RegExp(`id="${id}-error">Error: ${message.replace(/[?.]/g, '.')}<`));
    expect(text).toMatch(new RegExp(`<(input|select)[^>]*id="${id}"[^>]*aria-invalid="true"`));
  }
  return links;
}

describe('moving everything on a storage', () => {
  let projects: number[];
  beforeAll(async () => {
    projects = [await project('bulk'), await project('bulk')];
    await api.sql(`update projects set repository_storage = 'third' where id = any($1)`, [projects]);
    const work = await new WorkingCopy().init();
    await work.commit({ 'README.md': 'Moved' });
    await seedRepository(api, projectRepository(projects[0] ?? 0), work);
    work.remove();
    await api.sql('update repositories set size_bytes = 1500');
  });
  const form = { moved_kind: 'project', source_storage_name: 'third', destination_storage_name: 'second' };

  it('can be previewed, which moves nothing and keeps the entered values', async () => {
    const before = await counted();
    const answer = await admin.submit(PATH, { ...form, dry_run: 'true' });
    expect([answer.status, answer.cookies]).toEqual([200, []]);
    const said = textOf(answer.text);
    expect(said).toContain(
      'Dry run 2 projects with 1 repository would move from third to second : 1.5 kB. Nothing has been scheduled.',
    );
    expect(answer.text).toMatch(/<option value="third" selected>/);
    expect(answer.text).toMatch(/<option value="second" selected>/);
    const none = await admin.submit(PATH, { ...form, moved_kind: 'snippet', dry_run: 'true' });
    expect(none.text).toMatch(/There are no snippets to move from/);
    expect(await counted()).toEqual(before);
  });

  it('schedules a move of each repository', async () => {
    const answer = await admin.submit(PATH, form);
    expect([answer.status, answer.location]).toEqual([303, PATH]);
    expect((await admin.get(PATH)).text).toContain('The moves are being scheduled.');
    for (const id of projects) {
      await until(async () => (await movesOf(id))[0]?.state === 'finished', 20_000);
      expect(await movesOf(id)).toMatchObject([{ source: 'third', destination: 'second', by: 1 }]);
    }
    const [move] = await movesOf(projects[0] ?? 0);
    expect(await world.shown(move?.id ?? 0)).toMatch(
      /^workshop\/bulk-\d+ Finished Project, from third to second 1 repository, [\d.]+ (bytes|kB) Scheduled .* Started .* Ended /,
    );
  });

  it('is refused with errors at the fields', async () => {
    const before = await counted();
    const refused = async (changes: Record<string, string>): Promise<[string, string][]> =>
      errorsOf(await admin.submit(PATH, { ...form, ...changes }));
    expect(
      await refused({ moved_kind: 'all', source_storage_name: '', destination_storage_name: HOSTILE }),
    ).toEqual([
      ['f-moved_kind', 'Choose what to move'],
      ['f-source_storage_name', 'Choose the storage to move from'],
      ['f-destination_storage_name', 'Choose the storage to move to'],
    ]);
    const same = [['f-destination_storage_name', 'Choose a storage other than the one to move from']];
    expect(await refused({ destination_storage_name: 'third' })).toEqual(same);
    expect(await refused({ destination_storage_name: 'third', dry_run: 'true' })).toEqual(same);
    expect((await admin.submit(PATH, { ...form, authenticity_token: 'forged' })).status).toBe(422);
    await world.onFreePlan(async () => {
      expect(await refused({ moved_kind: 'group' })).toEqual([['f-moved_kind', 'Choose what to move']]);
      const one = { owner_kind: 'group', owner: String(world.group) };
      expect(errorsOf(await admin.submit(`${PATH}/single`, one))).toEqual([
        ['f-owner_kind', 'Choose what to move'],
      ]);
    });
    expect(await counted()).toEqual(before);
  });

  it('is not offered if there is only one storage', async () => {
    const names = jest.spyOn(StoragesService.prototype, 'names', 'get').mockReturnValue(['default']);
    try {
      const { text } = await admin.get(PATH);
      expect(text).toContain('There is only one storage.');
      expect(text).not.toContain('source_storage_name');
    } finally {
      names.mockRestore();
    }
  });
});

describe('moving one repository', () => {
  const order = (owner: string, changes: Record<string, string> = {}): Promise<PageReply> =>
    admin.submit(`${PATH}/single`, { owner_kind: 'project', owner, owner_destination: 'second', ...changes });

  it('accepts an id or a path, and chooses a storage if none is given', async () => {
    const [byId, byPath] = [await project('single'), await project('single')];
    const path = await pathOf(byPath);
    for (const owner of [String(byId), ` ${path} `]) {
      const answer = await order(owner);
      expect([answer.status, answer.location]).toEqual([303, PATH]);
    }
    expect((await admin.get(PATH)).text).toContain('The move has been scheduled.');
    for (const id of [byId, byPath])
      expect(await movesOf(id)).toMatchObject([{ source: 'default', destination: 'second', by: 1 }]);
    await api.root.put('/application/settings', {
      repository_storages_weighted: { default: 100, third: 100 },
    });
    const [snippet] = await api.sql<{ id: number }>(
      `insert into snippets (author_id, title, visibility) values (1, 'Moving', 'private') returning id`,
    );
    const id = snippet?.id ?? 0;
    expect((await order(String(id), { owner_kind: 'snippet', owner_destination: '' })).status).toBe(303);
    expect(await movesOf(id, 'Snippet')).toMatchObject([{ destination: 'third' }]);
    expect((await order('workshop', { owner_kind: 'group' })).status).toBe(303);
    expect(await movesOf(world.group, 'Group')).toMatchObject([{ destination: 'second' }]);
  });

  it('is refused with errors at the fields, and keeps the entered values', async () => {
    const before = await counted();
    expect(errorsOf(await order(''))).toEqual([['f-owner', 'Enter an ID or a path']]);
    expect(errorsOf(await order('1', { owner_destination: 'fourth' }))).toEqual([
      ['f-owner_destination', 'Choose a storage from the list'],
    ]);
    for (const [owner, kind] of [
      ['987654', 'project'],
      ['9'.repeat(40), 'project'],
      [HOSTILE, 'group'],
      ['workshop', 'project'],
      ['workshop', 'snippet'],
      ['root', 'group'],
    ] as const) {
      const answer = await order(owner, { owner_kind: kind });
      expect([owner, errorsOf(answer)]).toEqual([owner, [['f-owner', `There is no such ${kind}`]]]);
      expect(answer.text).not.toContain(HOSTILE);
    }
    expect((await order(HOSTILE)).text).toContain(`value="${ESCAPED}"`);
    const id = await project();
    expect(errorsOf(await order(String(id), { owner_destination: 'default' }))).toEqual([
      ['f-owner_destination', 'Destination must not be the source storage'],
    ]);
    await api.sql('update projects set repository_read_only = true where id = $1', [id]);
    expect(errorsOf(await order(String(id)))).toEqual([['f-owner', 'Project is read-only']]);
    expect(await counted()).toEqual(before);
  });
});

describe('failed moves', () => {
  const repeat = (id: number): Promise<PageReply> => admin.submit(`${PATH}/${id}/reschedule`);

  it('can be rescheduled once', async () => {
    const ownerId = await project('again');
    const failed = await addMove(api, {
      ownerId,
      state: 'failed',
      errorMessage: 'Disk full',
      destination: 'third',
    });
    const answer = await repeat(failed);
    expect([answer.status, answer.location]).toEqual([303, PATH]);
    expect((await movesOf(ownerId)).slice(1)).toMatchObject([
      { source: 'default', destination: 'third', by: 1 },
    ]);
    expect(await world.shown(failed)).not.toContain('Reschedule');
    expect((await repeat(failed)).status).toBe(404);
    expect(await movesOf(ownerId)).toHaveLength(2);
  });

  it('are the only moves that can be rescheduled, while their owner exists', async () => {
    const finished = await addMove(api, { ownerId: await project(), state: 'finished' });
    const gone = await addMove(api, { ownerId: 987_654, state: 'failed' });
    const left = await addMove(api, { ownerId: await project(), state: 'cleanup_failed' });
    for (const id of [finished, gone, left, 987_654]) {
      expect([id, (await repeat(id)).status]).toEqual([id, 404]);
      expect((await world.shown(id)) ?? '').not.toContain('Reschedule');
    }
    expect((await admin.submit(`${PATH}/x/reschedule`)).status).toBe(400);
    const ofGroup = await addMove(api, {
      ownerType: 'Group',
      ownerId: await addGroup(api, 'late'),
      state: 'failed',
    });
    await world.onFreePlan(async () => {
      expect((await repeat(ofGroup)).status).toBe(404);
    });
  });

  it('show why they cannot be rescheduled', async () => {
    const ownerId = await project();
    const failed = await addMove(api, { ownerId, state: 'failed' });
    await api.sql(`update projects set repository_storage = 'second' where id = $1`, [ownerId]);
    const answer = await repeat(failed);
    expect(errorsOf(answer)).toEqual([]);
    expect(answer.text).toContain('<li>Destination must not be the source storage</li>');
    expect(await movesOf(ownerId)).toHaveLength(1);
  });
});
