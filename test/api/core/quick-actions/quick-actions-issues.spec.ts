import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { command, type Commanded } from '../../../support/commands.js';
import { borrowApi } from '../../../support/shared-api.js';

type Shown = Readonly<Record<string, unknown>> & { readonly iid: number; readonly id: number };

describe('commands on issues', () => {
  let api: TestApi;
  let group: BuiltGroup;
  let project: BuiltProject;
  let elsewhere: BuiltProject;
  let ada: CreatedUser;
  let bob: CreatedUser;
  let path: string;
  beforeAll(async () => {
    api = await borrowApi();
    [ada, bob] = [await createUser(api), await createUser(api)];
    group = await buildGroup(api, { visibility: 'private' });
    project = await buildProject(api.root, { namespace_id: group.id });
    elsewhere = await buildProject(api.root);
    await buildMember(api, `projects/${project.id}`, ada.id, 20);
    await buildMember(api, `groups/${group.id}`, bob.id, 10);
    const label = (place: string, name: string): Promise<unknown> =>
      api.root.post(`/${place}/labels`, { name, color: '#ff0000' });
    await label(`projects/${project.id}`, 'bug');
    await label(`groups/${group.id}`, 'two words');
    await label(`projects/${elsewhere.id}`, 'foreign');
    await api.root.post(`/projects/${project.id}/milestones`, { title: 'v1' });
    await api.root.post(`/groups/${group.id}/milestones`, { title: 'next year' });
    await api.root.post(`/projects/${elsewhere.id}/milestones`, { title: 'far' });
    path = await issue();
  });
  afterAll(() => api.close());

  const issue = async (values: object = {}): Promise<string> => {
    const { iid } = await buildIssue(api.root, project.id, { ...values });
    return `/projects/${project.id}/issues/${iid}`;
  };
  const say = (text: string, place = path): Promise<Commanded> => command(ada.client, place, text);
  const shown = async (place = path): Promise<Shown> => (await ada.client.get<Shown>(place)).body;
  const systemNotes = async (place = path, client = ada.client): Promise<string[]> =>
    (await client.get<{ body: string }[]>(`${place}/notes?activity_filter=only_activity&sort=asc`)).body.map(
      ({ body }) => body,
    );

  it('close, reopen and rename them', async () => {
    expect(await say('/close')).toMatchObject({
      changes: { state_event: 'close' },
      summary: ['Closed this issue.'],
    });
    expect(await say('/close')).toMatchObject({ changes: {}, summary: ['This issue is closed already.'] });
    expect(await say('/reopen')).toMatchObject({ changes: { state_event: 'reopen' } });
    expect(await say('/title A new name')).toMatchObject({ changes: { title: 'A new name' } });
    expect(await say(`/title ${'x'.repeat(256)}`)).toMatchObject({
      changes: {},
      summary: ['Could not apply /title: the title would be too long.'],
    });
    expect((await say('/title')).summary).toEqual(['Could not apply /title: it needs a title.']);
    expect(await shown()).toMatchObject({ title: 'A new name', state: 'opened' });
    // An emoji counts as one character, as everywhere.
    const emoji = '🎉'.repeat(200);
    expect(await say(`/title ${'x'.repeat(256)}\n/title ${emoji}`)).toMatchObject({
      changes: { title: emoji },
    });
  });

  it('set existing labels of the project and its groups only', async () => {
    const added = await say('/label ~bug ~"two words" ~foreign ~new');
    expect(added.changes['add_label_ids']).toHaveLength(2);
    expect(added.summary).toEqual(['Added ~bug ~"two words".', 'Could not find ~foreign ~new.']);
    expect(await shown()).toMatchObject({ labels: ['bug', 'two words'] });
    expect((await say('/unlabel ~bug')).summary).toEqual(['Removed ~bug.']);
    expect((await say('/remove_label ~bug')).summary).toEqual(['The labels are already set.']);
    await say('/relabel bug');
    expect(await shown()).toMatchObject({ labels: ['bug'] });
    await say('/labels "two words"');
    expect((await say('/unlabel')).changes['remove_label_ids']).toHaveLength(2);
    expect(await shown()).toMatchObject({ labels: [] });
    const labels = await ada.client.get<{ name: string }[]>(`/projects/${project.id}/labels`);
    expect(labels.body.map(({ name }) => name)).toEqual(['bug', 'two words']);
  });

  it('assign users who can read the issue', async () => {
    const stranger = await createUser(api);
    const answer = await say(`/assign me @${bob.username} ${stranger.username} @who`);
    expect(answer.summary).toEqual([
      `Assigned @${ada.username}, @${bob.username}.`,
      `Could not assign @${stranger.username} to this issue.`,
      'Could not find @who.',
    ]);
    expect(answer.changes['assignee_ids']).toEqual([ada.id, bob.id]);
    expect((await say('/unassign me')).changes).toEqual({ assignee_ids: [bob.id] });
    expect((await say('/reassign me')).changes).toEqual({ assignee_ids: [ada.id] });
    expect((await say('/unassign')).changes).toEqual({ assignee_ids: [] });
    expect((await say('/unassign')).changes).toEqual({});
  });

  it('set milestone, due date, weight, confidentiality and lock', async () => {
    expect((await say('/milestone %v1')).summary).toEqual(['Set the milestone to %"v1".']);
    expect((await say('/milestone %"next year"')).changes['milestone_id']).toEqual(expect.any(Number));
    expect(await say('/milestone %far')).toMatchObject({
      changes: {},
      summary: ['Could not apply /milestone: there is no milestone "far".'],
    });
    expect(await shown()).toMatchObject({ milestone: { title: 'next year' } });
    expect((await say('/remove_milestone')).changes).toEqual({ milestone_id: null });
    expect((await say('/due December 24th, 2030')).changes).toEqual({ due_date: '2030-12-24' });
    expect((await say('/due whenever')).summary).toEqual(['Could not apply /due: "whenever" is not a date.']);
    expect((await say('/remove_due_date')).changes).toEqual({ due_date: null });
    expect((await say('/weight 3')).changes).toEqual({ weight: 3 });
    expect((await say('/weight -1')).changes).toEqual({});
    expect((await say('/clear_weight')).changes).toEqual({ weight: null });
    expect((await say('/confidential')).changes).toEqual({ confidential: true });
    expect((await say('/lock')).changes).toEqual({ discussion_locked: true });
    expect((await say('/unlock')).changes).toEqual({ discussion_locked: false });
    expect(await shown()).toMatchObject({
      milestone: null,
      due_date: null,
      weight: null,
      confidential: true,
    });
  });

  it('set estimates and time spent', async () => {
    expect((await say('/estimate 1d 2h')).changes).toEqual({ time_estimate: 36_000 });
    expect((await say('/spend 1h 30m 2020-02-03')).changes).toEqual({
      spend_time: { duration: 5_400, spent_at: '2020-02-03' },
    });
    expect(await api.sql('select spent_at::date::text as day from timelogs where seconds = 5400')).toEqual([
      { day: '2020-02-03' },
    ]);
    expect((await say('/spent -30m')).summary).toEqual(['Subtracted 30m of time spent.']);
    expect((await say('/spend -9h')).summary).toEqual([
      'Could not apply /spend: duration is more than the time spent.',
    ]);
    expect((await say('/spend 1h 2999-01-01')).changes).toEqual({});
    const stats = { time_estimate: 36_000, total_time_spent: 3_600 };
    expect(await shown()).toMatchObject({ time_stats: stats });
    await say('/remove_time_estimate\n/remove_time_spent');
    expect(await shown()).toMatchObject({ time_stats: { time_estimate: 0, total_time_spent: 0 } });
  });

  it('subscribe, and add and remove emoji', async () => {
    const place = await issue();
    expect((await say('/subscribe', place)).summary).toEqual(['Subscribed to this issue.']);
    expect(await shown(place)).toMatchObject({ subscribed: true });
    expect((await say('/subscribe', place)).summary).toEqual(['You are subscribed to this issue already.']);
    expect((await say('/unsubscribe', place)).changes).toEqual({ subscription_event: 'unsubscribe' });
    expect(await shown(place)).toMatchObject({ subscribed: false });
    expect((await say('/award :+1:')).summary).toEqual(['Gave :thumbsup:.']);
    expect(await shown()).toMatchObject({ upvotes: 1 });
    expect((await say('/react :thumbsup:')).summary).toEqual(['Removed the reaction :thumbsup:.']);
    expect((await say('/award nothing')).summary).toEqual([
      'Could not apply /award: "nothing" is not an emoji.',
    ]);
    expect((await say('/cc @nobody')).summary).toEqual(['There is nothing to do for /cc.']);
  });

  it('add them to an epic, and remove them', async () => {
    const epic = (await api.root.post<Shown>(`/groups/${group.id}/epics`, { title: 'Big' })).body;
    const hidden = await buildGroup(api, { visibility: 'private' });
    await api.root.post(`/groups/${hidden.id}/epics`, { title: 'Secret' });
    const place = await issue();
    await buildMember(api, `groups/${group.id}`, ada.id, 20);
    expect((await say('/epic &1', place)).changes).toEqual({ epic: epic.id });
    expect((await say(`/epic ${group.full_path}&1`, place)).changes).toEqual({});
    expect(await shown(place)).toMatchObject({ epic: { id: epic.id } });
    expect((await say(`/epic ${hidden.full_path}&1`, place)).summary).toEqual([
      `Could not find the epic "${hidden.full_path}&1".`,
    ]);
    expect((await say('/remove_epic', place)).changes).toEqual({ epic: null });
    const url = `http://forgeplane.test/groups/${group.full_path}/-/epics/1`;
    expect((await say(`/epic ${url}`, place)).changes).toEqual({ epic: epic.id });
  });

  it('keep an epic that the author cannot see', async () => {
    const eve = await createUser(api);
    await buildMember(api, `projects/${project.id}`, eve.id, 20);
    const epic = (await api.root.post<Shown>(`/groups/${group.id}/epics`, { title: 'Hidden' })).body;
    const place = await issue({ epic_id: epic.id });
    expect((await eve.client.get(place)).body).toMatchObject({ epic: null });
    expect((await command(eve.client, place, '/remove_epic')).summary).toEqual([
      'This issue is not in an epic.',
    ]);
    expect((await eve.client.put(place, { epic_id: 0 })).status).toBe(200);
    expect((await api.root.get(place)).body).toMatchObject({ epic: { id: epic.id } });
    expect((await command(api.root, place, '/remove_epic')).changes).toEqual({ epic: null });
  });

  it('copy metadata from others, and close duplicates of them', async () => {
    const milestone = (await api.root.get<Shown[]>(`/projects/${project.id}/milestones`)).body[0];
    const source = await issue({ labels: 'bug', milestone_id: milestone?.id });
    const iid = source.split('/').at(-1) ?? '';
    const place = await issue();
    expect((await say(`/copy_metadata #${iid}`, place)).changes).toMatchObject({
      milestone_id: milestone?.id,
    });
    expect(await shown(place)).toMatchObject({ labels: ['bug'], milestone: { id: milestone?.id } });
    const { iid: far } = await buildIssue(api.root, elsewhere.id);
    const foreign = `${elsewhere.path_with_namespace}#${far}`;
    for (const text of ['/duplicate #9999', `/duplicate ${foreign}`, `/copy_metadata ${foreign}`])
      expect(await say(text, place)).toMatchObject({ changes: {} });
    expect((await say(`/duplicate #${iid}`, place)).changes).toMatchObject({ state_event: 'close' });
    expect((await systemNotes(place)).at(-1)).toBe(`marked this issue as a duplicate of #${iid}`);
    expect((await systemNotes(source)).at(-1)).toMatch(/^marked #\d+ as a duplicate of this issue$/);
  });

  it('set the severity of incidents', async () => {
    expect((await say('/severity high')).summary).toEqual([
      'Could not apply /severity: this issue is not an incident.',
    ]);
    const place = await issue({ issue_type: 'incident' });
    expect((await say('/severity S2', place)).changes).toEqual({ severity: 'high' });
    expect(await shown(place)).toMatchObject({ severity: 'HIGH' });
    expect((await say('/severity awful', place)).changes).toEqual({});
  });

  it('clone and move them with their notes', async () => {
    const target = await buildProject(api.root);
    const full = target.path_with_namespace;
    expect(await say(`/move ${full}`)).toMatchObject({ changes: {} });
    await buildMember(api, `projects/${target.id}`, ada.id, 20);
    const place = await issue({ title: 'Travels' });
    await say(`Talk\n/clone ${full} --with_notes`, place);
    const moved = await command(ada.client, place, `Bye\n/move ${full}`);
    expect(moved).toMatchObject({ status: 201, body: 'Bye', changes: { target_project: full } });
    expect(await shown(place)).toMatchObject({ state: 'closed' });
    const there = await ada.client.get<Shown[]>(`/projects/${target.id}/issues?sort=asc`);
    const notes = await Promise.all(
      there.body.map(async ({ iid }) => {
        const list = `/projects/${target.id}/issues/${iid}/notes?sort=asc&activity_filter=only_comments`;
        return (await ada.client.get<{ body: string }[]>(list)).body.map(({ body }) => body);
      }),
    );
    // The moved issue keeps its creation time.
    expect(notes).toEqual([['Talk', 'Bye'], ['Talk']]);
    await say('/clone', await issue({ title: 'Twice' }));
    const here = await ada.client.get<Shown[]>(`/projects/${project.id}/issues?search=Twice`);
    expect(here.body).toHaveLength(2);
  });

  it('reveal nothing about hidden projects', async () => {
    const hidden = elsewhere.path_with_namespace;
    const place = await issue();
    for (const name of ['move', 'clone']) {
      const [there, nowhere] = [
        await say(`/${name} ${hidden}`, place),
        await say(`/${name} no/where`, place),
      ];
      expect(there.summary).toEqual([`Could not apply /${name}: there is no project "${hidden}".`]);
      expect(nowhere.summary).toEqual([`Could not apply /${name}: there is no project "no/where".`]);
    }
  });

  it('refuse duplicates on which the caller cannot comment', async () => {
    const [frozen, locked] = [
      await buildProject(api.root, { visibility: 'public' }),
      await buildProject(api.root, { visibility: 'public' }),
    ];
    const [one, other] = [await buildIssue(api.root, frozen.id), await buildIssue(api.root, locked.id)];
    await api.root.post(`/projects/${frozen.id}/archive`);
    await api.root.put(`/projects/${locked.id}/issues/${other.iid}`, { discussion_locked: true });
    const place = await issue();
    for (const [{ path_with_namespace: full, id }, { iid }] of [
      [frozen, one],
      [locked, other],
    ] as const) {
      expect(await say(`/duplicate ${full}#${iid}`, place)).toMatchObject({ changes: {} });
      expect(await systemNotes(`/projects/${id}/issues/${iid}`, api.root)).not.toContainEqual(
        expect.stringContaining('duplicate'),
      );
    }
    expect(await shown(place)).toMatchObject({ state: 'opened' });
  });

  it('respect the license plan', async () => {
    const place = await issue();
    await api.root.put('/application/settings', { license_plan: 'free' });
    const answer = await say(
      `/weight 2\n/epic &1\n/assign me @${bob.username}\n/assign @${bob.username}`,
      place,
    );
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    expect(answer.changes).toEqual({ assignee_ids: [bob.id] });
    expect(answer.summary).toContain('Could not apply /weight: the license plan has no weights.');
    expect(answer.summary).toContain('Could not apply /epic: the license plan has no epics.');
  });
});
