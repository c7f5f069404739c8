import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { MergeRequestFollowingService } from '#core/merge-requests/code/following/merge-request-following.service.js';
import { DeliverNotificationProcessor } from '#features/notifications/mails/jobs/deliver-notification.processor.js';
import { FanOutProcessor } from '#features/notifications/mails/jobs/fan-out.processor.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildEpicWorld, type BuiltEpic, type EpicWorld } from '../../../support/builders/epic-world.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import type { ApiClient } from '../../../support/client.js';
import { deadlocksOf } from '../../../support/lock-waits.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { Notified } from '../../../support/notified.js';

let api: TestApi;
let inbox: Notified;
beforeAll(async () => {
  inbox = await Notified.start();
  api = await startApi({ SMTP_URL: inbox.url, MAIL_FROM: 'Forge <noreply@forge.test>' });
});
afterAll(async () => {
  await api.close();
  await inbox.close();
});

type Work = (index: number) => Promise<{ readonly status: number }>;

/** Runs all actions at once, each `times` times, and returns the unexpected responses. */
async function atOnce(
  times: number,
  works: readonly Work[],
  fine: readonly number[] = [],
): Promise<number[]> {
  const asked = Array.from({ length: times }, (_, index) => works.map((work) => work(index))).flat();
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  return statuses.filter((status) => status >= 300 && !fine.includes(status));
}

/** Rows with wrong counters. */
const MISCOUNTED = ['issues Issue', 'merge_requests MergeRequest', 'epics Epic'].map((names) => {
  const [table, type] = names.split(' ');
  return `select '${table}' as thing, t.id from ${table} t where t.user_notes_count <> (select count(*) from notes n
      where n.noteable_type = '${type}' and n.noteable_id = t.id and not n.system)
    or t.upvotes <> (select count(*) from award_emoji e where e.awardable_type = '${type}' and e.awardable_id = t.id and e.name = 'thumbsup')`;
});
const miscounted = (): Promise<object[]> => api.sql(MISCOUNTED.join(' union all '));

describe('simultaneous requests on the same issues and epics', () => {
  let world: EpicWorld;
  let issues: BuiltIssue[];
  let epics: BuiltEpic[];
  const of = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
  const issuePath = (index: number): string => `/projects/${world.projectId}/issues/${of(issues, index).iid}`;
  const epicPath = (index: number): string => `/groups/${world.group.id}/epics/${of(epics, index).iid}`;

  beforeAll(async () => {
    await api.root.put('/application/settings', { issues_create_limit: 0, notes_create_limit: 0 });
    world = await buildEpicWorld(api);
    issues = [];
    for (let index = 0; index < 4; index += 1) issues.push(await buildIssue(world.owner, world.projectId));
    epics = [];
    for (const title of ['One', 'Two'])
      epics.push((await world.owner.post<BuiltEpic>(`/groups/${world.group.id}/epics`, { title })).body);
  });

  it('lose nothing, and do not fail by a deadlock', async () => {
    const { owner, reporter, guest } = world;
    const readers = [owner, reporter, guest];
    const before = await deadlocksOf(api);
    const unseen = await atOnce(
      12,
      [
        (index) => reporter.put(issuePath(index), { add_labels: `own-${index}` }),
        (index) => reporter.put(issuePath(index), { epic_id: of(epics, index).id, weight: index }),
        (index) => owner.post(`${epicPath(index + 1)}/issues/${of(issues, index).id}`),
        (index) => of(readers, index).post(`${issuePath(index)}/notes`, { body: 'A word' }),
        (index) => of(readers, index).post(`${epicPath(index)}/notes`, { body: 'A word' }),
        (index) => of(readers, index).post(`${issuePath(index)}/award_emoji`, { name: 'thumbsup' }),
        (index) => of(readers, index).post(`${epicPath(index)}/award_emoji`, { name: 'thumbsup' }),
        (index) => of(readers, index).post(`${issuePath(index)}/${index % 2 ? 'un' : ''}subscribe`),
        (index) => reporter.put(epicPath(index), { add_labels: `own-${index}` }),
        (index) => owner.put(issuePath(index), { state_event: index % 2 ? 'close' : 'reopen' }),
        () => buildIssue(reporter, world.projectId, { labels: 'common' }).then(() => ({ status: 201 })),
      ],
      // Nothing to change: in the epic already, already subscribed or unsubscribed, the emoji exists.
      [304, 404, 409],
    );
    expect(unseen).toEqual([]);
    expect(await deadlocksOf(api)).toBe(before);
    expect(await miscounted()).toEqual([]);
    const labels = await Promise.all(
      issues.map(async (_, index) => (await owner.get<BuiltIssue>(issuePath(index))).body.labels.length),
    );
    expect(labels).toEqual([3, 3, 3, 3]);
    const placed = await api.sql<{ issues: number; places: number; links: number }>(
      `select count(distinct issue_id)::int as issues, count(distinct (epic_id, relative_position))::int as places, count(*)::int as links from epic_issues`,
    );
    expect(placed).toEqual([{ issues: 4, places: 4, links: 4 }]);
    const said = `select 1 from subscriptions where target_type = 'Issue' group by target_id, user_id having count(*) > 1`;
    expect(await api.sql(said)).toEqual([]);
  });

  it('remove labels, issues and epics while others use them', async () => {
    const { owner, reporter } = world;
    const { body: label } = await owner.post<{ id: number }>(`/projects/${world.projectId}/labels`, {
      name: 'going',
      color: '#fff000',
    });
    const before = await deadlocksOf(api);
    const unseen = await atOnce(
      6,
      [
        (index) => reporter.put(issuePath(index), { add_labels: 'going' }),
        (index) =>
          index === 3
            ? owner.delete(`/projects/${world.projectId}/labels/${label.id}`)
            : owner.get(epicPath(1)),
        (index) => reporter.post(`${issuePath(0)}/notes`, { body: `Word ${index}` }),
        (index) => reporter.post(`${epicPath(0)}/notes`, { body: `Word ${index}` }),
        (index) => reporter.put(issuePath(0), { epic_id: of(epics, index).id }),
        (index) => (index === 2 ? owner.delete(issuePath(0)) : owner.get(issuePath(1))),
        (index) => (index === 2 ? owner.delete(epicPath(0)) : owner.get(issuePath(1))),
      ],
      [404, 422],
    );
    expect(unseen).toEqual([]);
    expect(await deadlocksOf(api)).toBe(before);
    expect(await miscounted()).toEqual([]);
    const left = await api.sql(
      `select n.id from notes n where n.noteable_type = 'Issue' and not exists (select 1 from issues i where i.id = n.noteable_id)
       union all select n.id from notes n where n.noteable_type = 'Epic' and not exists (select 1 from epics e where e.id = n.noteable_id)
       union all select e.id from events e where e.kind in (33, 102) and e.subject_id is not null and not exists (select 1 from issues i where i.id = e.subject_id)`,
    );
    expect(left).toEqual([]);
  });
});

describe('merge requests during pushes', () => {
  let world: MergeWorld;
  const path = (iid: number): string => `${world.base}/merge_requests/${iid}`;
  const client = (): ApiClient => world.dev;
  beforeAll(async () => {
    world = await MergeWorld.build(api);
  });

  it('keep each label, note and vote, and create one version for each head', async () => {
    const { id, iid } = await world.open('busy');
    const following = api.app.get(MergeRequestFollowingService, { strict: false });
    const [unseen] = await Promise.all([
      atOnce(
        8,
        [
          (index) => client().put(path(iid), { add_labels: `l${index}` }),
          (index) => client().post(`${path(iid)}/notes`, { body: `Word ${index}` }),
          (index) => client().put(path(iid), { reviewer_ids: index % 2 ? [world.code.developerId] : [] }),
          () => client().post(`${path(iid)}/approve`),
        ],
        // A user who has approved it cannot do so again.
        [403],
      ),
      world.commit('busy', { 'again.txt': '1' }),
      ...Array.from({ length: 4 }, () => following.follow(id, { userId: null, head: null })),
    ]);
    expect(unseen).toEqual([]);
    const { sha } = await world.when(iid, (one) => one.changes_count === '2');
    await Promise.all(Array.from({ length: 4 }, () => following.follow(id, { userId: null, head: null })));
    const shown = (await client().get<{ labels: string[]; user_notes_count: number }>(path(iid))).body;
    expect([shown.labels.length, shown.user_notes_count]).toEqual([8, 8]);
    const versions = await api.sql<{ head_sha: string }>(
      'select head_sha from merge_request_versions where merge_request_id = $1 order by id',
      [id],
    );
    expect([versions.length, versions[1]?.head_sha]).toEqual([2, sha]);
    expect(await miscounted()).toEqual([]);
  });

  it('are merged with the requested head, or not at all', async () => {
    const { iid, sha } = await world.open('pushed');
    const [merged, pushed] = await Promise.all([
      world.merge(iid, { sha }),
      world.commit('pushed', { 'late.txt': '1' }),
    ]);
    expect([200, 409, 422]).toContain(merged.status);
    const hasLate = (await client().get(`${world.base}/repository/files/late.txt?ref=main`)).status === 200;
    expect(hasLate).toBe(false);
    const after = await world.find(iid);
    expect([after.state, after.sha]).toEqual(
      merged.status === 200 ? ['merged', sha] : ['opened', expect.any(String)],
    );
    if (merged.status !== 200) await world.when(iid, (one) => one.sha === pushed);
  });

  it('are removed, even if notes are written at the same time', async () => {
    const { iid } = await world.open('going');
    const unseen = await atOnce(
      8,
      [
        (index) => client().post(`${path(iid)}/notes`, { body: `Word ${index}` }),
        (index) => client().put(path(iid), { add_labels: `g${index}` }),
        (index) => (index === 4 ? api.root.delete(path(iid)) : client().get(world.base)),
      ],
      [404],
    );
    expect(unseen).toEqual([]);
    const [left] = await api.sql<{ notes: number }>(
      `select count(*)::int as notes from notes n where noteable_type = 'MergeRequest'
         and not exists (select 1 from merge_requests m where m.id = n.noteable_id)`,
    );
    expect(left).toEqual({ notes: 0 });
  });

  it('cause one mail per event, even if jobs run twice', async () => {
    const { id } = await world.open('mailed', undefined, { assignee_ids: [1] });
    await inbox.mails(api);
    const context = { jobId: 'twice', signal: new AbortController().signal } as unknown as JobContext;
    const event = {
      kind: 'close_merge_request',
      target: { type: 'MergeRequest', id },
      projectId: world.code.id,
      groupId: null,
      actorId: world.code.developerId,
    } as const;
    const fanOut = api.app.get(FanOutProcessor, { strict: false });
    await Promise.all([1, 2, 3].map(() => fanOut.process({ eventId: 'twice', event })));
    expect(await inbox.readers(api)).toHaveLength(1);
    const [sent] = await api.sql<{ id: number }>(
      `select id from sent_notifications where event_id = 'twice'`,
    );
    const deliver = api.app.get(DeliverNotificationProcessor, { strict: false });
    await deliver.process({ sentNotificationId: sent?.id ?? 0 }, context);
    expect(await inbox.readers(api)).toEqual([]);
  });
});
