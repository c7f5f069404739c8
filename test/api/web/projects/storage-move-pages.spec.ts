import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApi } from '../../../support/api.js';
import { addGroup, addUser } from '../../../support/builders/instance.js';
import { EventTimings } from '#kernel/http/streams/event-timings.js';
import { buildBrowser } from '../../../support/builders/session.js';
import { createUser } from '../../../support/builders/user.js';
import { addMove } from '../../../support/builders/storage-move.js';
import { PageClient } from '../../../support/page-client.js';
import {
  ESCAPED,
  HOSTILE,
  MOVES_PAGE as PATH,
  startMoveWorld,
  textOf,
  type MoveWorld,
} from '../../../support/storage-move-pages.js';

let world: MoveWorld;
let api: TestApi;
let admin: PageClient;
beforeAll(async () => {
  world = await startMoveWorld();
  ({ api, admin } = world);
});
afterAll(() => world.close());
const project = (name?: string): Promise<number> => world.project(name);

const idsOf = (text: string): number[] =>
  [...text.matchAll(/data-move="(\d+)"/g)].map(([, id]) => Number(id));

describe('the list of storage moves', () => {
  it('shows the object, the progress and the error of each move', async () => {
    const waiting = await addMove(api, { ownerId: await project('waiting') });
    expect(await world.shown(waiting)).toMatch(
      /^workshop\/waiting-\d+ Waiting Project, from default to second Scheduled \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/,
    );
    const copying = await addMove(api, {
      ownerId: await project('copying'),
      state: 'started',
      repositories: [1, 2],
      bytes: [3_400_000, 12_000_000],
    });
    expect(await world.shown(copying)).toMatch(
      /Copying .*1 of 2 repositories, 3\.4 MB of 12 MB Scheduled .* Started /,
    );
    const { text } = await admin.get(PATH);
    expect(text).toMatch(
      /<progress\s+max="100"\s+value="28"\s+aria-label="Progress of workshop\/copying-\d+"/,
    );
    const failed = await addMove(api, {
      ownerId: await project(),
      state: 'failed',
      errorMessage: 'Disk full',
    });
    expect(await world.shown(failed)).toMatch(
      /Failed .* Disk full Scheduled .* Ended .* Reschedule workshop/,
    );
    const [snippet] = await api.sql<{ id: number }>(
      `insert into snippets (author_id, title, visibility) values (1, 'Notes', 'private') returning id`,
    );
    const ofSnippet = await addMove(api, {
      ownerType: 'Snippet',
      ownerId: snippet?.id ?? 0,
      state: 'finished',
      repositories: [1, 1],
      bytes: [999, 999],
    });
    expect(await world.shown(ofSnippet)).toMatch(
      new RegExp(`^Notes Finished Snippet ${snippet?.id}, from default to second 1 repository, 999 bytes `),
    );
    const gone = await addMove(api, { ownerType: 'Group', ownerId: 987_654, state: 'cleanup_failed' });
    expect(await world.shown(gone)).toMatch(
      /^Group 987654 \(removed\) Moved, but not cleaned up Group wiki,/,
    );
  });

  it('is filtered by state and kind, newest first, and paged with its filter', async () => {
    const made = [];
    for (let index = 0; index < 3; index += 1)
      made.unshift(await addMove(api, { ownerId: await project(), state: 'replicated' }));
    const first = await admin.get(`${PATH}?state=replicated&kind=project&per_page=2`);
    expect(idsOf(first.text)).toEqual(made.slice(0, 2));
    expect(first.text).toMatch(/<option value="replicated" selected>/);
    const next = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(next).toBe(`${PATH}?state=replicated&kind=project&page=2&per_page=2`);
    const second = await admin.get(next);
    expect(idsOf(second.text)).toEqual(made.slice(2));
    expect(second.text).toContain(`href="${PATH}?state=replicated&amp;kind=project&amp;page=2`);
    expect(idsOf((await admin.get(`${PATH}?state=replicated&kind=snippet`)).text)).toEqual([]);
    expect(idsOf((await admin.get(`${PATH}?state=&kind=`)).text).length).toBeGreaterThan(3);
    expect((await admin.get(`${PATH}?state=nonsense`)).status).toBe(400);
  });

  it('escapes all values', async () => {
    const ownerId = await project();
    await api.sql(`update projects set full_path = $2 where id = $1`, [ownerId, `workshop/${HOSTILE}`]);
    await addMove(api, { ownerId, state: 'failed', errorMessage: `fatal: ${HOSTILE}`, source: HOSTILE });
    const { text } = await admin.get(PATH);
    expect(text).not.toContain(HOSTILE);
    expect(text).toContain(`<h3>workshop/${ESCAPED}</h3>`);
    expect(text).toContain(`fatal: ${ESCAPED}`);
  });

  it('shows no group wikis on a plan without them', async () => {
    const move = await addMove(api, { ownerType: 'Group', ownerId: world.group, state: 'finished' });
    expect(await world.shown(move)).toContain('Group wiki');
    await world.onFreePlan(async () => {
      expect(await world.shown(move)).toBeNull();
      expect((await admin.get(PATH)).text).not.toContain('value="group"');
    });
  });
});

describe('the storages above the list', () => {
  it('are shown with the number of objects on each', async () => {
    const ids = [await project(), await project()];
    await api.sql(`update projects set repository_storage = 'third' where id = any($1)`, [ids]);
    for (const kind of ['code', 'wiki'])
      await api.sql(
        `insert into repositories (owner_type, owner_id, kind, size_bytes) values ('Project', $1, $2, 1500)`,
        [ids[0], kind],
      );
    const wikiOwner = await addGroup(api, 'writers');
    await api.sql(`update namespaces set repository_storage = 'third' where id = $1`, [wikiOwner]);
    await addGroup(api, 'silent');
    await api.sql(
      `insert into repositories (owner_type, owner_id, kind, size_bytes) values ('Group', $1, 'wiki', 500)`,
      [wikiOwner],
    );
    await api.sql(
      `insert into snippets (author_id, title, visibility, repository_storage) values (1, 'x', 'private', 'lost')`,
    );
    const { text } = await admin.get(PATH);
    const rows = [...text.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) => textOf(row));
    expect(rows).toContain('third 2 0 1 3.5 kB');
    expect(rows).toContain('lost Not configured 0 1 0 0 bytes');
    expect(rows.at(2)).toMatch(/^second 0 0 0/);
  });
});

describe('the page of storage moves', () => {
  it('is only for administrators', async () => {
    const user = await addUser(api, 'somebody');
    const browser = await buildBrowser(api, user.id);
    const visitor = new PageClient(api.url);
    for (const path of [PATH, `${PATH}/events`]) {
      const sent = await visitor.get(path);
      expect([path, sent.status, sent.location]).toEqual([path, 302, '/users/sign_in']);
      expect([path, (await browser.get(path)).status]).toEqual([path, 403]);
    }
    expect((await browser.get('/-/profile')).text).not.toContain(PATH);
    expect((await admin.get('/-/profile')).text).toContain(`href="${PATH}"`);
  });
});

/** Reads a stream of events until one fulfills the condition, and returns all until then. */
async function eventsUntil(
  query: string,
  isLast: (event: StreamEvent) => boolean | Promise<boolean>,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly StreamEvent[]> {
  const stop = new AbortController();
  const answer = await fetch(`${api.url}${PATH}/events?${query}`, {
    headers: { Cookie: admin.jar.header, Accept: 'text/event-stream', ...headers },
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(8_000)]),
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const events: StreamEvent[] = [];
  let text = '';
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (name === '') continue;
      const event = { name, data: JSON.parse(data) as unknown };
      events.push(event);
      if (await isLast(event)) {
        stop.abort();
        return events;
      }
    }
  }
  return events;
}
interface StreamEvent {
  readonly name: string;
  readonly data: unknown;
}

describe('events of the page', () => {
  it('end with the session, and with the right to see them', async () => {
    Object.assign(api.app.get(EventTimings, { strict: false }), { heartbeatMs: 100 });
    const id = await addMove(api, { ownerId: await project(), state: 'started' });
    const { id: adminId } = await createUser(api, { admin: true });
    const losses = [
      () => api.sql('delete from sessions where user_id = $1', [adminId]),
      () => api.sql('update users set admin = false where id = $1', [adminId]),
    ];
    for (const lose of losses) {
      const browser = await buildBrowser(api, adminId);
      const answer = await fetch(`${api.url}${PATH}/events?moves=${id}`, {
        headers: { Cookie: browser.jar.header },
        signal: AbortSignal.timeout(8_000),
      });
      expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      const text = answer.text();
      await lose();
      expect(await text).toContain('event: move');
    }
  });

  it('report every change of the shown moves, and none twice', async () => {
    const id = await addMove(api, { ownerId: await project(), state: 'started', repositories: [0, 2] });
    const other = await addMove(api, { ownerId: await project(), state: 'started' });
    const changes = [
      () => api.sql(`update storage_moves set repositories_done = 1 where id = $1`, [id]),
      async () => {
        // Polls without changes send nothing.
        await sleep(1_200);
        const end = `update storage_moves set state = 'failed', error_message = '<b>', updated_at = now() where id = $1`;
        await api.sql(end, [id]);
      },
    ];
    const events = await eventsUntil(`moves=${id}&newest=${other}`, async () => {
      const change = changes.shift();
      await change?.();
      return change === undefined;
    });
    expect(events.map(({ name }) => name)).toEqual(['move', 'move', 'move']);
    expect(events.map(({ data }) => data)).toMatchObject([
      { id, state: 'Copying', isMoving: true, percent: 0, amount: '0 of 2 repositories', mayRepeat: false },
      { id, state: 'Copying', percent: 50, amount: '1 of 2 repositories', ended: null },
      { id, state: 'Failed', isMoving: false, hasProgress: false, error: '<b>', mayRepeat: true },
    ]);
  });

  it('report that there are newer moves', async () => {
    const id = await addMove(api, { ownerId: await project() });
    const [event] = await eventsUntil(`newest=${id - 1}`, () => true);
    expect(event).toEqual({ name: 'newer', data: '1 newer move. Refresh to see it.' });
  });

  it('report the end of a move to a browser that reconnects after it, once', async () => {
    const id = await addMove(api, { ownerId: await project(), state: 'started' });
    const query = `moves=${id}&newest=${id}`;
    const [begun] = await eventsUntil(query, () => true);
    expect(begun).toMatchObject({ name: 'move', data: { id, isMoving: true } });
    await api.sql(`update storage_moves set state = 'finished'`);
    const events = await eventsUntil(query, () => false, { 'Last-Event-ID': 'begun' });
    expect(events).toMatchObject([{ name: 'move', data: { id, state: 'Finished', isMoving: false } }]);
    const again = await fetch(`${api.url}${PATH}/events?${query}`, {
      headers: { Cookie: admin.jar.header, 'Last-Event-ID': 'over' },
    });
    expect(again.status).toBe(204);
  });

  it('end when no move is running, and are not requested again', async () => {
    await api.sql(`update storage_moves set state = 'finished'`);
    for (const query of [
      '',
      'moves=999991,999992&newest=999999',
      `until=${new Date(Date.now() - 1_000).toISOString()}`,
    ]) {
      const answer = await admin.get(`${PATH}/events?${query}`);
      expect([query, answer.status, answer.text]).toEqual([query, 204, '']);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    const until = new Date(Date.now() + 600).toISOString();
    expect(await eventsUntil(`until=${until}`, () => false)).toEqual([]);
    expect((await admin.get(`${PATH}/events?moves=1,x`)).status).toBe(400);
  });

  it('include group wikis only on a plan with them', async () => {
    const move = await addMove(api, { ownerType: 'Group', ownerId: await addGroup(api, 'planned') });
    await world.onFreePlan(async () => {
      expect((await admin.get(`${PATH}/events?moves=${move}&newest=0`)).status).toBe(204);
    });
    await api.sql(`update storage_moves set state = 'finished'`);
  });
});
