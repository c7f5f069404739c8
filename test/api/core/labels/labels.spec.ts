import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { type Label, LabelWorld } from '../../../support/builders/label-world.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('labels', () => {
  let api: TestApi;
  let world: LabelWorld;
  let at: LabelWorld['at'];
  let ofGroup: LabelWorld['ofGroup'];
  let make: LabelWorld['make'];
  let names: LabelWorld['names'];
  let team: LabelWorld['team'];
  let shop: LabelWorld['shop'];
  beforeAll(async () => {
    api = await borrowApi();
    world = await LabelWorld.build(api);
    ({ at, ofGroup, make, names, team, shop } = world);
  });
  afterAll(() => api.close());

  it('are created, found by id and by name, changed and removed', async () => {
    const created = await team.reporter.post<Label>(at(), {
      name: ' bug ',
      color: 'Red',
      description: 'Is <b>broken</b>',
      priority: 3,
    });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: 'bug',
        color: '#ff0000',
        description: 'Is <b>broken</b>',
        description_html: 'Is &lt;b&gt;broken&lt;/b&gt;',
        text_color: '#FFFFFF',
        subscribed: false,
        priority: 3,
        is_project_label: true,
      },
    ]);
    for (const key of [created.body.id, 'bug'])
      expect((await team.guest.get(at(key))).body).toEqual(created.body);

    const changed = await team.reporter.put(at('bug'), { new_name: 'a/b?&:', color: '#fab', priority: null });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { id: created.body.id, name: 'a/b?&:', color: '#fab', text_color: '#1F1E24', priority: null },
    ]);
    const older = await team.reporter.put(at(), { name: 'a/b?&:', description: '' });
    expect([older.status, older.body]).toMatchObject([200, { description: '', color: '#fab' }]);
    expect((await team.reporter.put(at('a/b?&:'), {})).body).toEqual({
      message: { base: ['at least one parameter must be provided'] },
    });

    const before = { 'If-Unmodified-Since': new Date(0).toUTCString() };
    expect((await team.reporter.delete(at('a/b?&:'), before)).status).toBe(412);
    await api.sql(`update labels set updated_at = now() - interval '1 hour' where id = $1`, [
      created.body.id,
    ]);
    // What it has already is no change.
    await team.reporter.put(at('a/b?&:'), { color: '#fab', description: '' });
    const lately = { 'If-Unmodified-Since': new Date(Date.now() - 1_800_000).toUTCString() };
    const removed = await team.reporter.delete(at('a/b?&:'), lately);
    expect([removed.status, removed.text]).toEqual([204, '']);
    const again = await team.reporter.send('DELETE', at(), { name: 'a/b?&:' });
    expect([again.status, again.body]).toEqual([404, { message: '404 Label Not Found' }]);
    const { id } = await make(at(), 'gone');
    expect((await team.reporter.send('DELETE', at(), { label_id: id })).status).toBe(204);
    expect((await team.reporter.put(at(), { new_name: 'x' })).body).toEqual({
      message: '400 (Bad request) "name" not given',
    });
  });

  it('are validated', async () => {
    await make(at(), 'taken');
    for (const [body, status, message] of [
      [{ name: 'taken', color: '#ffffff' }, 409, 'Label already exists'],
      [{ name: 'x', color: 'reddish' }, 400, { color: ['must be a valid color code'] }],
      [{ name: 'a,b', color: '#fff' }, 400, { title: ['is invalid'] }],
      [{ name: '  ', color: '#fff' }, 400, { title: ["can't be blank"] }],
      [{ name: 'x'.repeat(256), color: '#fff' }, 400, { title: ['is too long (maximum is 255 characters)'] }],
      [{ name: 'x\0', color: '#fff' }, 400, { name: ['is invalid'] }],
      [{ name: 'x' }, 400, '400 (Bad request) "color" not given'],
      [{ name: 'x', color: '#fff', priority: -1 }, 400, { priority: ['does not have a valid value'] }],
    ] as const) {
      const answer = await team.reporter.post(at(), body);
      expect([answer.status, answer.body]).toEqual([status, { message }]);
    }
    expect((await make(at(), '😀'.repeat(255))).name).toHaveLength(510);
    const other = await make(at(), 'other');
    const renamed = await team.reporter.put(at(other.id), { new_name: 'taken' });
    expect([renamed.status, renamed.body]).toEqual([400, { message: { title: ['has already been taken'] } }]);
  });

  it('can be read by everyone who sees the project, and changed by Reporters', async () => {
    const open = await buildProjectTeam(api, 'public');
    const { id } = await make(at('', open.projectId), 'open');
    expect(await names(at('', open.projectId), api.anonymous)).toEqual(['open']);
    expect((await api.anonymous.get(at(id, open.projectId))).status).toBe(200);
    expect((await team.stranger.get(at())).status).toBe(404);
    for (const [method, path, body] of [
      ['POST', at('', open.projectId), { name: 'x', color: '#fff' }],
      ['PUT', at(id, open.projectId), { color: '#fff' }],
      ['DELETE', at(id, open.projectId), undefined],
      ['PUT', `${at(id, open.projectId)}/promote`, undefined],
    ] as const) {
      expect((await open.guest.send(method, path, body)).status).toBe(403);
      expect((await open.stranger.send(method, path, body)).status).toBe(403);
      expect((await api.anonymous.send(method, path, body)).status).toBe(401);
    }
    expect((await team.reporter.put(at(id), { color: '#fff' })).status).toBe(404);
    const off = { issues_access_level: 'private', merge_requests_access_level: 'disabled' };
    await api.root.put(`/projects/${open.projectId}`, off);
    expect((await open.stranger.get(at('', open.projectId))).status).toBe(403);
    await api.root.post(`/projects/${open.projectId}/archive`);
    expect((await open.reporter.delete(at(id, open.projectId))).status).toBe(403);
  });

  it('can be subscribed to and unsubscribed from', async () => {
    const { id } = await make(at(), 'news');
    const say = async (what: string, path: string): Promise<readonly [number, unknown]> => {
      const { status, body } = await team.guest.post<{ subscribed?: boolean } | null>(`${path}/${what}`);
      return [status, status === 201 ? body?.subscribed : null];
    };
    expect(await say('unsubscribe', at(id))).toEqual([304, null]);
    expect(await say('subscribe', at('news'))).toEqual([201, true]);
    expect(await say('subscribe', at(id))).toEqual([304, null]);
    expect((await team.reporter.get<object>(at(id))).body).toMatchObject({ subscribed: false });
    expect(await say('unsubscribe', at(id))).toEqual([201, false]);
    const { id: wide } = await make(ofGroup(), 'wide news');
    expect(await say('subscribe', ofGroup(wide))).toEqual([201, true]);
    expect(await say('unsubscribe', at(wide, shop))).toEqual([201, false]);
    expect((await team.guest.get<object>(ofGroup(wide))).body).toMatchObject({ subscribed: true });
    expect((await team.stranger.post(`${at(id)}/subscribe`)).status).toBe(404);
  });
});
