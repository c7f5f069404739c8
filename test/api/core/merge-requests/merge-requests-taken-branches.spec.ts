import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { MergeRequestConflictsRules } from '#core/merge-requests/writes/merge-request-conflicts.rules.js';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { untilBlocking } from '../../../support/lock-waits.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { borrowApi } from '../../../support/shared-api.js';

/** Only one open merge request may have a source and a target branch. */
describe('a merge request that is opened while another one of its branches is', () => {
  let api: TestApi;
  let world: MergeWorld;
  let serial = 0;
  let branch: string;
  let other: { id: number; iid: number };

  beforeAll(async () => {
    api = await borrowApi();
    world = await MergeWorld.build(api);
  });
  beforeEach(async () => {
    branch = `taken-${(serial += 1)}`;
    const made = { branch, start_branch: 'main', commit_message: branch };
    const actions = [{ action: 'create', file_path: branch, content: branch }];
    expect((await world.dev.post(`${world.base}/repository/commits`, { ...made, actions })).status).toBe(201);
    other = (await open()).body as typeof other;
    await close(other.iid);
  });
  afterAll(() => api.close());

  const open = (): Promise<Answer<{ id?: number; iid?: number; message?: unknown }>> =>
    world.dev.post(`${world.base}/merge_requests`, {
      title: 'Taken',
      source_branch: branch,
      target_branch: 'main',
    });
  const close = async (iid: number): Promise<void> => {
    const path = `${world.base}/merge_requests/${iid}`;
    expect((await world.dev.put(path, { state_event: 'close' })).status).toBe(200);
  };

  /** Answers a request that meets the other one once it is open again; `before` runs before it looks for that. */
  async function met(ask: () => Promise<Answer>, before: () => Promise<unknown>): Promise<Answer> {
    const rules = api.app.get(MergeRequestConflictsRules, { strict: false });
    const refuse = rules.refuseOther.bind(rules);
    const runner = api.app.get(DataSource).createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(`update merge_requests set state = 'opened' where id = $1`, [other.id]);
      const asked = ask();
      await untilBlocking(api, runner);
      const spy = jest.spyOn(rules, 'refuseOther').mockImplementationOnce(async (branches) => {
        await before();
        return refuse(branches);
      });
      await runner.commitTransaction();
      const answer = await asked;
      spy.mockRestore();
      return answer;
    } finally {
      await runner.release();
    }
  }

  it.each(['created', 'reopened'])('is refused if that one stays open: %s', async (how) => {
    const ask = await opening(how);
    const answer = await met(ask, () => Promise.resolve());
    const text = `Another open merge request already exists for this source branch: !${other.iid}`;
    expect([answer.status, answer.body]).toEqual([409, { message: [text] }]);
  });

  it.each(['created', 'reopened'])('is open if that one is closed at once: %s', async (how) => {
    const ask = await opening(how);
    const answer = await met(ask, () => close(other.iid));
    expect([answer.status, answer.body]).toMatchObject([how === 'created' ? 201 : 200, { state: 'opened' }]);
  });

  /** A request that opens a merge request of the branches. */
  async function opening(how: string): Promise<() => Promise<Answer>> {
    if (how === 'created') return open;
    const { iid = 0 } = (await open()).body;
    await close(iid);
    return () => world.dev.put(`${world.base}/merge_requests/${iid}`, { state_event: 'reopen' });
  }
});
