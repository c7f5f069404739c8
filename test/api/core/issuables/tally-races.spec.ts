import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { FoldTalliesProcessor } from '#core/issuables/tallies/fold-tallies.processor.js';
import { consistencyChecks } from '../../../../src/cli/doctor/doctor-checks.js';
import type { TestApi } from '../../../support/api.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { borrowApi } from '../../../support/shared-api.js';
import { COUNTED, TallyStorm } from '../../../support/tally-storm.js';
import { untilBlocking } from '../../../support/lock-waits.js';

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

/** Runs one action, and another before the first is committed; returns the status of the other. */
async function meanwhile(first: string, other: () => Promise<{ readonly status: number }>): Promise<number> {
  const runner = api.app.get(DataSource).createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(first);
    let hasEnded = false;
    const answered = other().finally(() => {
      hasEnded = true;
    });
    await untilBlocking(api, runner, () => hasEnded);
    await runner.commitTransaction();
    return (await answered).status;
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

async function miscounted(): Promise<object[]> {
  const found: object[] = [];
  for (const { check, sql } of consistencyChecks.filter(({ check }) => COUNTED.test(check)))
    found.push(...(await api.sql<{ what: string }>(sql)).map(({ what }) => ({ check, what })));
  return found;
}

describe('a link that is removed while its object changes its state', () => {
  const issuePath = async (state: string): Promise<{ id: number; path: string; project: number }> => {
    const { id: project } = await buildProject(api.root, { namespace_id: (await buildGroup(api)).id });
    const { id, iid } = await buildIssue(api.root, project, { labels: 'bug', assignee_ids: [1] });
    const path = `/projects/${project}/issues/${iid}`;
    if (state === 'closed') await api.root.put(path, { state_event: 'close' });
    return { id, path, project };
  };

  it.each(['close', 'reopen'])('is counted correctly in any order: %s', async (event) => {
    const [from, to] = event === 'close' ? ['opened', 'closed'] : ['closed', 'opened'];
    const one = await issuePath(from);
    const changed = await meanwhile(`delete from labels where project_id = ${one.project}`, () =>
      api.root.put(one.path, { state_event: event }),
    );
    const two = await issuePath(from);
    const removed = await meanwhile(`update issues set state = '${to}' where id = ${two.id}`, () =>
      api.root.delete(`/projects/${two.project}/labels/bug`),
    );
    const three = await issuePath(from);
    const left = await meanwhile(`delete from issue_assignees where issue_id = ${three.id}`, () =>
      api.root.put(three.path, { state_event: event }),
    );
    expect([changed, removed, left]).toEqual([200, 204, 200]);
    expect(await miscounted()).toEqual([]);
  });

  it('is counted correctly on merge requests', async () => {
    const world = await MergeWorld.build(api);
    const links = ['labels', 'assignees', 'reviewers'];
    for (const link of links) {
      const people = { assignee_ids: [1], reviewer_ids: [1], labels: 'bug' };
      const { id, iid } = await world.open(`of-${link}`, undefined, people);
      const closed = await meanwhile(`delete from merge_request_${link} where merge_request_id = ${id}`, () =>
        api.root.put(`${world.base}/merge_requests/${iid}`, { state_event: 'close' }),
      );
      expect(closed).toBe(200);
    }
    expect(await miscounted()).toEqual([]);
  });
});

it('counters are correct after eight simultaneous users', async () => {
  const storm = await TallyStorm.build(api.root);
  const fold = api.app.get(FoldTalliesProcessor, { strict: false });
  const { taken, failures } = await storm.rage(8, 4, () =>
    fold.process({}, { signal: new AbortController().signal } as never),
  );
  expect(failures).toEqual([]);
  // How many succeed in that time depends on the machine.
  expect(Object.values(taken).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(8);
  expect(await miscounted()).toEqual([]);
});

it('counters are repaired during concurrent changes', async () => {
  const project = (await buildProject(api.root)).id;
  const { iid } = await buildIssue(api.root, project, { labels: 'bug,gone' });
  await api.root.post(`/projects/${project}/issues/${iid}/notes`, { body: 'A word' });
  await api.root.delete(`/projects/${project}/labels/gone`);
  await api.sql(
    `update issue_tallies set count = count - 2 where kind in ('opened_label', 'author') and project_id = $1`,
    [project],
  );
  await api.sql(`delete from issue_tallies where kind = 'label' and project_id = $1`, [project]);
  await api.sql(
    `insert into issue_tallies (kind, subject_id, project_id, count) values ('label', 999999, 999999, 3)`,
  );
  await api.sql(
    `update internal_ids set live_count = live_count + 1, open_count = open_count - 1, last_value = 0 where project_id = $1`,
    [project],
  );
  await api.sql(`delete from internal_ids where usage = 'merge_requests'`);
  await api.sql('update issues set user_notes_count = user_notes_count + 5 where project_id = $1', [project]);
  const wrong = new Set((await miscounted()).map((one) => (one as { check: string }).check));
  expect(wrong.size).toBe(3);
  const mends = consistencyChecks.flatMap(({ mend = [] }) => mend);
  const writing = api.app.get(DataSource).createQueryRunner();
  await writing.startTransaction();
  await writing.query(`update issues set state = 'closed' where project_id = ${project}`);
  const mended = api.app.get(DataSource).transaction(async (tx) => {
    for (const statement of mends) await tx.query(statement);
  });
  await untilBlocking(api, writing);
  await writing.commitTransaction();
  await writing.release();
  await mended;
  expect(await miscounted()).toEqual([]);
});
