import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { command, type Commanded } from '../../../support/commands.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { borrowApi } from '../../../support/shared-api.js';

type Shown = Readonly<Record<string, unknown>>;

describe('commands on merge requests', () => {
  let api: TestApi;
  let world: MergeWorld;
  beforeAll(async () => {
    api = await borrowApi();
    world = await MergeWorld.build(api);
    await api.root.post(`${world.base}/labels`, { name: 'bug', color: '#ff0000' });
    await api.root.post(`${world.base}/milestones`, { title: 'v1' });
  });
  afterAll(() => api.close());

  const at = (iid: number): string => `${world.base}/merge_requests/${iid}`;
  const shown = async (iid: number): Promise<Shown> => (await world.dev.get<Shown>(at(iid))).body;
  const say = (iid: number, text: string, client = world.dev, values = {}): Promise<Commanded> =>
    command(client, at(iid), text, values);

  it('plan, rename, close and reopen them', async () => {
    const { iid } = await world.open('plans');
    const root = await api.root.get<{ id: number; username: string }>('/user');
    await api.root.post(`${world.base}/members`, { user_id: root.body.id, access_level: 40 });
    const answer = await say(
      iid,
      '/label ~bug\n/milestone %v1\n/assign me\n/request_review @root\n/lock\n/estimate 2h\n/spend 1h\n/award :tada:\n/weight 3',
    );
    expect(answer.status).toBe(202);
    expect(Object.keys(answer.changes).sort()).toEqual([
      'add_label_ids',
      'assignee_ids',
      'discussion_locked',
      'emoji_award',
      'milestone_id',
      'reviewer_ids',
      'spend_time',
      'time_estimate',
    ]);
    expect(answer.summary).toContain(
      'Could not apply /weight: this command is not available for merge requests.',
    );
    expect(await shown(iid)).toMatchObject({
      labels: ['bug'],
      milestone: { title: 'v1' },
      assignees: [{ id: world.code.developerId }],
      reviewers: [{ username: 'root' }],
      discussion_locked: true,
      time_stats: { time_estimate: 7_200, total_time_spent: 3_600 },
    });
    expect((await say(iid, '/unassign_reviewer @root\n/unlabel\n/unassign')).changes).toMatchObject({
      reviewer_ids: [],
      assignee_ids: [],
    });
    expect((await say(iid, '/draft')).changes).toEqual({ title: 'Draft: Bring plans', wip_event: 'draft' });
    expect(await shown(iid)).toMatchObject({ draft: true });
    expect((await say(iid, '/ready')).changes).toEqual({ title: 'Bring plans', wip_event: 'ready' });
    expect((await say(iid, '/title Other\n/draft')).changes).toMatchObject({ title: 'Draft: Other' });
    expect((await say(iid, '/close')).changes).toEqual({ state_event: 'close' });
    expect((await say(iid, '/merge', world.dev, { merge_request_diff_head_sha: 'x' })).changes).toEqual({});
    expect((await say(iid, '/reopen')).changes).toEqual({ state_event: 'reopen' });
    expect(await shown(iid)).toMatchObject({ draft: true, state: 'opened', labels: [] });
  });

  it('approve and unapprove them if the rules allow it', async () => {
    const { iid, sha } = await world.open('approved');
    const { maintainer, reporter } = world.code;
    expect((await say(iid, '/approve', reporter)).summary).toEqual([
      'Could not apply /approve: you are not allowed to do that.',
    ]);
    const old = await say(iid, '/approve', maintainer, { merge_request_diff_head_sha: '0'.repeat(40) });
    expect(old.summary).toEqual([
      `Could not apply /approve: SHA does not match HEAD of source branch: ${sha}.`,
    ]);
    expect(await say(iid, 'Fine\n/approve', maintainer)).toMatchObject({
      status: 201,
      body: 'Fine',
      changes: { approval: 'approve' },
    });
    expect((await say(iid, '/approve', maintainer)).changes).toEqual({});
    const approvals = await world.dev.get<{ approved_by: unknown[] }>(`${at(iid)}/approvals`);
    expect(approvals.body.approved_by).toHaveLength(1);
    expect((await say(iid, '/unapprove', maintainer)).changes).toEqual({ approval: 'unapprove' });
    expect((await say(iid, '/unapprove', maintainer)).changes).toEqual({});
  });

  it('change their target branch', async () => {
    const { iid } = await world.open('moved');
    await world.dev.post(`${world.base}/repository/branches`, { branch: 'stable', ref: 'main' });
    expect((await say(iid, '/target_branch nowhere')).changes).toEqual({});
    expect((await say(iid, '/target_branch moved')).summary).toEqual([
      "Could not apply /target_branch: You can't use same project/branch for source and target.",
    ]);
    expect((await say(iid, '/target_branch stable')).changes).toEqual({ target_branch: 'stable' });
    expect(await shown(iid)).toMatchObject({ target_branch: 'stable' });
    expect((await say(iid, '/target_branch main', world.code.reporter)).changes).toEqual({});
  });

  it('merge them for users who may and have seen the head', async () => {
    const { iid, sha } = await world.open('merged');
    const merge = (client = world.dev, head?: string): Promise<Commanded> =>
      say(iid, '/merge', client, head === undefined ? {} : { merge_request_diff_head_sha: head });
    expect(await merge()).toMatchObject({
      status: 202,
      changes: {},
      summary: [
        'Could not apply /merge: the head of the branch must be given as merge_request_diff_head_sha.',
      ],
    });
    expect((await merge(world.dev, '1'.repeat(40))).summary).toEqual([
      `Could not apply /merge: SHA does not match HEAD of source branch: ${sha}.`,
    ]);
    expect((await merge(world.code.reporter, sha)).summary).toEqual([
      'Could not apply /merge: you are not allowed to do that.',
    ]);
    expect((await shown(iid))['state']).toBe('opened');
    const answer = await say(iid, 'Off it goes\n/merge\n/label ~bug', world.dev, {
      merge_request_diff_head_sha: sha,
    });
    expect(answer).toMatchObject({ status: 201, body: 'Off it goes', changes: { merge: sha } });
    expect(await shown(iid)).toMatchObject({ state: 'merged', labels: ['bug'] });
    expect((await say(iid, '/close')).summary).toEqual([
      'Could not apply /close: this merge request is merged.',
    ]);
    const again = await merge(world.dev, sha);
    expect([again.changes, again.summary]).toEqual([
      {},
      ['Could not apply /merge: its state does not allow it.'],
    ]);
  });

  it('merge them once with simultaneous requests', async () => {
    const { iid, sha } = await world.open('raced');
    const answers = await Promise.all(
      [1, 2, 3].map((at) => say(iid, `Go ${at}\n/merge`, world.dev, { merge_request_diff_head_sha: sha })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await shown(iid)).toMatchObject({ state: 'merged' });
    const events = await world.dev.get<unknown[]>('/events?action=merged&per_page=100');
    const own = events.body.filter((event) => (event as { target_iid: number }).target_iid === iid);
    expect(own).toHaveLength(1);
  });

  it('rebase them on their target', async () => {
    const { iid, sha } = await world.open('late');
    await world.commit('main', { 'later.txt': 'x\n' });
    expect((await say(iid, '/rebase', world.code.reporter)).changes).toEqual({});
    expect(await say(iid, '/rebase')).toMatchObject({ status: 202, changes: { rebase: true } });
    const after = await world.when(iid, (one) => one.sha !== sha);
    expect(after.merge_error).toBeNull();
  });

  it('wait for the pipeline of the head', async () => {
    const { iid, sha } = await world.open('piped');
    const status = await world.dev.post(`${world.base}/statuses/${sha}`, { state: 'running', ref: 'piped' });
    expect(status.status).toBe(201);
    await world.when(iid, (one) => one.detailed_merge_status !== 'checking');
    const answer = await say(iid, '/merge', world.dev, { merge_request_diff_head_sha: sha });
    expect(answer).toMatchObject({
      changes: { merge: sha },
      summary: ['This merge request will be merged when its pipeline succeeds.'],
    });
    expect(await shown(iid)).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    await world.dev.post(`${world.base}/statuses/${sha}`, { state: 'success', ref: 'piped' });
    await world.when(iid, ({ state }) => state === 'merged');
  });

  it('are executed in descriptions too', async () => {
    await world.commit('described', { 'd.txt': 'd\n' });
    const created = await world.dev.post<Shown & { iid: number }>(`${world.base}/merge_requests`, {
      title: 'Described',
      source_branch: 'described',
      target_branch: 'main',
      description: 'Look\n/draft\n/label ~bug\n/assign me\n/estimate 1h\n/lock\n/merge',
    });
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        title: 'Draft: Described',
        description: 'Look',
        labels: ['bug'],
        assignees: [{ id: world.code.developerId }],
        time_stats: { time_estimate: 3_600 },
        discussion_locked: true,
        state: 'opened',
      },
    ]);
    const changed = await world.dev.put<Shown>(at(created.body.iid), {
      description: 'See\n/ready\n/unlabel',
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { title: 'Described', description: 'See', labels: [], draft: false },
    ]);
  });
});
