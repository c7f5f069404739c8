import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientWorld } from '../support/gitbeaker.js';

describe('merge requests through gitbeaker', () => {
  let world: ClientWorld;
  let id: number;

  beforeAll(async () => {
    world = await startClientWorld();
    const { Projects, Commits } = world.root;
    id = (await Projects.create({ name: 'Code' })).id;
    const write = (branch: string, filePath: string, startBranch?: string): Promise<unknown> =>
      Commits.create(id, branch, `Add ${filePath}`, [{ action: 'create', filePath, content: 'x\n' }], {
        ...(startBranch === undefined ? {} : { startBranch }),
      });
    await write('main', 'README.md');
    await write('one', 'one.txt', 'main');
  });
  afterAll(() => world.close());

  it('creates, shows, lists, changes and approves merge requests', async () => {
    const { MergeRequests, MergeRequestApprovals } = world.root;
    const made = await MergeRequests.create(id, 'one', 'main', 'Bring one', { labels: 'a,b' });
    expect(made).toMatchObject({ iid: 1, labels: ['a', 'b'], changes_count: '1' });
    expect(await refusal(MergeRequests.create(id, 'one', 'main', 'Again'))).toEqual([
      409,
      expect.stringContaining('already exists for this source branch: !1'),
    ]);
    expect(await MergeRequests.show(id, 1, { includeDivergedCommitsCount: true })).toMatchObject({
      diverged_commits_count: 0,
      user: { can_merge: true },
    });
    expect(await MergeRequests.all({ projectId: id, state: 'opened' })).toHaveLength(1);
    expect(await MergeRequests.edit(id, 1, { title: 'Draft: Bring one' })).toMatchObject({ draft: true });
    expect(await MergeRequestApprovals.approve(id, 1)).toMatchObject({ approved: true });
    await MergeRequestApprovals.unapprove(id, 1);
    expect(await MergeRequests.allParticipants(id, 1)).toHaveLength(1);
    await MergeRequests.edit(id, 1, { stateEvent: 'close' });
    await MergeRequests.remove(id, 1);
    expect((await refusal(MergeRequests.show(id, 1)))[0]).toBe(404);
  });

  it('runs quick actions in notes', async () => {
    const { MergeRequests, MergeRequestNotes } = world.root;
    const { iid, sha } = await MergeRequests.create(id, 'one', 'main', 'Bring it', { description: '/draft' });
    expect(await MergeRequests.show(id, iid)).toMatchObject({ title: 'Draft: Bring it', draft: true });
    const note = await MergeRequestNotes.create(id, iid, 'Good now\n/ready\n/approve');
    expect(note).toMatchObject({
      body: 'Good now',
      commands_changes: { wip_event: 'ready', approval: 'approve' },
    });
    expect(await MergeRequestNotes.create(id, iid, '/merge', { mergeRequestDiffSha: sha })).toEqual({
      commands_changes: { merge: sha },
      summary: ['Merged this merge request.'],
    });
    expect(await MergeRequests.show(id, iid)).toMatchObject({ state: 'merged' });
  });
});
