import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { PruneOauthTokensJob } from '#core/oauth-tokens/prune-oauth-tokens.job.js';
import type { TestApi } from '../../../../support/api.js';
import { buildApplication, buildCode, buildPair } from '../../../../support/builders/oauth.js';
import { addUser } from '../../../../support/builders/instance.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

it('pruning removes codes and tokens that were useless for a month, and keeps refreshable ones', async () => {
  const user = await addUser(api, 'mona');
  const client = await buildApplication(api);
  const pairs = [];
  for (let index = 0; index < 6; index += 1) pairs.push(await buildPair(api, client, user.id));
  await buildCode(api, client, user.id);
  const ids = pairs.map(({ id }) => id);
  const change = (index: number, changes: string): Promise<unknown> =>
    api.sql(`update oauth_tokens set ${changes} where id = $1`, [ids[index]]);
  const MONTH = `now() - interval '31 days'`;
  await change(1, `expires_at = ${MONTH}, updated_at = ${MONTH}`);
  await change(2, `revoked_at = ${MONTH}, updated_at = now()`);
  await change(3, `revoked_at = ${MONTH}, updated_at = ${MONTH}`);
  await change(4, `refreshed_at = ${MONTH}, updated_at = ${MONTH}`);
  await change(5, `refresh_digest = null, expires_at = ${MONTH}`);
  await api.sql(`update oauth_grants set expires_at = ${MONTH} where used_at is not null`);
  await api.app.get(Transactions).run((tx) => api.app.get(Jobs).enqueue(tx, PruneOauthTokensJob, {}));
  const left = async (): Promise<number[]> =>
    (await api.sql<{ id: number }>('select id from oauth_tokens order by id')).map(({ id }) => id);
  await until(async () => (await left()).length === 3);
  expect(await left()).toEqual(ids.slice(0, 3));
  expect(await api.sql('select used_at from oauth_grants')).toEqual([{ used_at: null }]);
});
