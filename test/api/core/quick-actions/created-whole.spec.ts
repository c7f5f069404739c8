import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { CountedClient } from '#kernel/database/statements/counted-client.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildEpicWorld, type EpicWorld } from '../../../support/builders/epic-world.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { command } from '../../../support/commands.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { isInRequest } from '../../../support/watched-reads.js';

interface Made {
  readonly iid: number;
  readonly title: string;
  readonly state: string;
}

type Create = (title: string, description: string) => Promise<Answer<Made>>;

const BROKEN = `create function refuse_state() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
  create trigger refuse_state before insert on resource_state_events for each row execute function refuse_state()`;
const MENDED = 'drop trigger refuse_state on resource_state_events; drop function refuse_state()';

/** Records how the transactions of requests begin and end. */
async function transactionsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with the client that it belongs to
  const { query } = CountedClient.prototype;
  const spy = jest.spyOn(CountedClient.prototype, 'query').mockImplementation(function (
    this: CountedClient,
    ...args: unknown[]
  ) {
    const [text] = args;
    if (isInRequest() && typeof text === 'string' && /^(start transaction|commit|rollback)$/i.test(text))
      seen.push(text);
    return Reflect.apply<CountedClient, unknown[], never>(query, this, args);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return seen;
}

describe('an object and the commands in its text', () => {
  let api: TestApi;
  let plan: EpicWorld;
  let code: MergeWorld;
  beforeAll(async () => {
    api = await startApi();
    plan = await buildEpicWorld(api);
    code = await MergeWorld.build(api);
    for (const branch of ['whole', 'broken', 'after'])
      await code.commit(branch, { [`${branch}.txt`]: 'new\n' });
  });
  afterAll(() => api.close());

  const issues = (): string => `/projects/${plan.projectId}/issues`;
  const epics = (): string => `/groups/${plan.group.id}/epics`;
  const requests = (): string => `${code.base}/merge_requests`;
  const kinds: readonly (readonly [string, () => string, () => ApiClient, (title: string) => object])[] = [
    ['issues', issues, () => plan.reporter, () => ({})],
    ['epics', epics, () => plan.reporter, () => ({})],
    [
      'merge requests',
      requests,
      () => code.dev,
      (title) => ({ source_branch: title.toLowerCase(), target_branch: 'main' }),
    ],
  ];

  describe.each(kinds)('of %s', (_, place, client, more) => {
    const create: Create = (title, description) =>
      client().post<Made>(place(), { title, description, ...more(title) });

    it('are one transaction', async () => {
      const ways = await transactionsDuring(async () => {
        const made = await create('Whole', 'Text\n/label ~none\n/award :tada:\n/close');
        expect([made.status, made.body]).toMatchObject([201, { title: 'Whole', state: 'closed' }]);
      });
      expect(ways).toEqual(['START TRANSACTION', 'COMMIT']);
    });

    it('are not created if one of them fails', async () => {
      await api.sql(BROKEN);
      const failed = await create('Broken', 'Text\n/award :tada:\n/close');
      await api.sql(MENDED);
      expect(failed.status).toBe(500);
      const found = await client().get<Made[]>(`${place()}?state=all`);
      expect(found.body.map(({ title }) => title)).toEqual(['Whole']);
      // Its number is not used up either.
      const after = await create('After', 'Text\n/close');
      expect(after.body).toMatchObject({ iid: (found.body[0]?.iid ?? 0) + 1, state: 'closed' });
    });
  });

  it('are limited to the permissions of the author, who is known from the object', async () => {
    const text = 'Text\n/estimate 1h\n/close';
    const made = await plan.guest.post<Made>(issues(), { title: 'Own', description: text });
    expect([made.status, made.body]).toMatchObject([
      201,
      { state: 'closed', time_stats: { time_estimate: 0 } },
    ]);
  });

  it('are one transaction for notes', async () => {
    const { body } = await plan.reporter.post<Made>(issues(), { title: 'Noted' });
    const ways = await transactionsDuring(async () => {
      const answer = await command(plan.reporter, `${issues()}/${body.iid}`, 'Said\n/confidential\n/close');
      expect(answer).toMatchObject({ status: 201, body: 'Said', changes: { state_event: 'close' } });
    });
    expect(ways).toEqual(['START TRANSACTION', 'COMMIT']);
  });
});
