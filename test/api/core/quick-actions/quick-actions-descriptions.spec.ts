import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildEpicWorld, type BuiltEpic, type EpicWorld } from '../../../support/builders/epic-world.js';
import type { BuiltIssue } from '../../../support/builders/issue.js';
import type { ApiClient } from '../../../support/client.js';
import { command } from '../../../support/commands.js';
import { borrowApi } from '../../../support/shared-api.js';

type Shown = BuiltIssue & Readonly<Record<string, unknown>>;

describe('commands in descriptions, and on epics', () => {
  let api: TestApi;
  let world: EpicWorld;
  let issues: string;
  beforeAll(async () => {
    api = await borrowApi();
    world = await buildEpicWorld(api);
    issues = `/projects/${world.projectId}/issues`;
    const label = (place: string, name: string): Promise<unknown> =>
      api.root.post(`${place}/labels`, { name, color: '#ff0000' });
    await label(`/projects/${world.projectId}`, 'bug');
    await label(`/groups/${world.group.id}`, 'wide');
    await api.root.post(`/projects/${world.projectId}/milestones`, { title: 'v1' });
  });
  afterAll(() => api.close());

  const create = (client: ApiClient, values: object): Promise<{ status: number; body: Shown }> =>
    client.post<Shown>(issues, { title: 'New', ...values });

  it('apply to a new issue', async () => {
    const text =
      'Breaks.\n\n/label ~bug ~nope\n/assign me\n/milestone %v1\n/due 2030-01-01\n/weight 2\n/title Newer\n/confidential';
    const { status, body } = await create(world.reporter, {
      description: `${text}\n/estimate 1h\n/close`,
      labels: 'wide',
    });
    expect([status, body]).toMatchObject([
      201,
      {
        title: 'Newer',
        description: 'Breaks.',
        labels: ['bug', 'wide'],
        milestone: { title: 'v1' },
        due_date: '2030-01-01',
        weight: 2,
        confidential: true,
        time_stats: { time_estimate: 3_600 },
        state: 'closed',
      },
    ]);
    expect(body.assignees).toHaveLength(1);
    const notes = await world.reporter.get<{ body: string }[]>(`${issues}/${body.iid}/notes`);
    expect(notes.body.map((note) => note.body).sort()).toEqual(['changed time estimate to 1h', 'closed']);
  });

  it('are limited to the permissions of the author', async () => {
    // Guests may set planning attributes when they create an issue, and not afterwards.
    const made = await create(world.guest, { description: '/label ~bug\n/estimate 1h\n/subscribe\nHelp' });
    expect(made.body).toMatchObject({
      description: 'Help',
      labels: ['bug'],
      time_stats: { time_estimate: 0 },
    });
    const path = `${issues}/${made.body.iid}`;
    const changed = await world.guest.put<Shown>(path, {
      description: 'Help!\n/unlabel\n/title Other\n/close',
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { description: 'Help!', labels: ['bug'], title: 'Other', state: 'closed' },
    ]);
    const other = await create(world.reporter, {});
    const refused = await world.guest.put(`${issues}/${other.body.iid}`, { description: '/close' });
    expect(refused.status).toBe(403);
  });

  it('are executed when a description changes, together with the change or not at all', async () => {
    const { body } = await create(world.reporter, { description: '```\n/close\n```' });
    expect(body).toMatchObject({ description: '```\n/close\n```', state: 'opened' });
    const path = `${issues}/${body.iid}`;
    const wrong = await world.reporter.put(path, { description: '/close', milestone_id: 999_999 });
    expect(wrong.status).toBe(400);
    expect((await world.reporter.get<Shown>(path)).body.state).toBe('opened');
    const right = await world.reporter.put<Shown>(path, { description: 'Now\n/close\n/label ~wide' });
    expect(right.body).toMatchObject({ description: 'Now', state: 'closed', labels: ['wide'] });
    const emptied = await world.reporter.put<Shown>(path, { description: '/reopen' });
    expect(emptied.body).toMatchObject({ description: null, state: 'opened' });
  });

  it('work on epics, in notes and descriptions', async () => {
    const epics = `/groups/${world.group.id}/epics`;
    const made = await world.reporter.post<BuiltEpic & { description: string }>(epics, {
      title: 'Big',
      description: 'Much\n/label ~wide ~bug\n/title Bigger',
    });
    expect([made.status, made.body]).toMatchObject([
      201,
      { title: 'Bigger', description: 'Much', labels: ['wide'], state: 'opened' },
    ]);
    const notes = `${epics}/${made.body.id}`;
    expect(await command(world.reporter, notes, '/close\n/unlabel ~wide\n/award :tada:\n/due today')).toEqual(
      {
        status: 202,
        changes: { state_event: 'close', remove_label_ids: [expect.any(Number)], emoji_award: 'tada' },
        summary: [
          'Removed ~wide.',
          'Closed this epic.',
          'Gave :tada:.',
          'Could not apply /due: this command is not available for epics.',
        ],
      },
    );
    expect(await command(world.reporter, notes, 'Again\n/reopen\n/subscribe\n/confidential')).toMatchObject({
      status: 201,
      body: 'Again',
      changes: { state_event: 'reopen', confidential: true },
    });
    const shown = await world.reporter.get<BuiltEpic>(`${epics}/${made.body.iid}`);
    expect(shown.body).toMatchObject({ state: 'opened', labels: [], confidential: true });
    const open = await world.reporter.post<BuiltEpic>(epics, { title: 'Open' });
    const place = `${epics}/${open.body.id}`;
    expect((await command(world.guest, place, '/close\n/title x\n/label ~wide')).changes).toEqual({});
    const put = await world.reporter.put<BuiltEpic>(`${epics}/${open.body.iid}`, {
      description: '/close\nDone',
    });
    expect(put.body).toMatchObject({ state: 'closed', description: 'Done' });
  });
});
