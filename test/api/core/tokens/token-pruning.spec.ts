import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '#kernel/database/transactions.js';
import type { JobDefinition } from '#kernel/queue/job-definition.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { PruneBotsJob } from '#core/resource-tokens/expiry/prune-bots.job.js';
import { PruneTokensJob } from '#core/tokens/expiry/prune-tokens.job.js';
import type { TestApi } from '../../../support/api.js';
import { addGroup, addProject, addUser } from '../../../support/builders/instance.js';
import { buildResourceToken, buildToken } from '../../../support/builders/token.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

const enqueue = (job: JobDefinition): Promise<void> =>
  api.app.get(Transactions).run((tx) => api.app.get(Jobs).enqueue(tx, job, {}));

/** Repeats a query until it has a result, for ten seconds. */
async function eventually<T>(ask: () => Promise<T>, wanted: T): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (JSON.stringify(await ask()) === JSON.stringify(wanted)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await ask()).toEqual(wanted);
}

describe('pruning', () => {
  it('removes tokens and mailed links that have been invalid for a month, and sessions that are over', async () => {
    const user = await addUser(api, 'pruned');
    const daysAgo = (days: number): string =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const keep = [
      await buildToken(api, user.id),
      await buildToken(api, user.id, { expires_at: daysAgo(29) }),
      await buildToken(api, user.id, { name: 'revoked lately' }),
    ];
    await buildToken(api, user.id, { expires_at: daysAgo(32) });
    await api.sql(`update personal_access_tokens set revoked = true where name = 'revoked lately'`);
    await api.sql(
      `insert into personal_access_tokens (user_id, name, digest, scopes, revoked, updated_at)
       select $1, 'old', sha256(n::text::bytea), '{api}', true, now() - interval '31 days' from generate_series(1, 2500) n`,
      [user.id],
    );
    await api.sql(
      `insert into sessions (user_id, digest, csrf_digest, expires_at)
       select $1, sha256(n::text::bytea), '', now() + (n - 2) * interval '1 hour' from generate_series(1, 3) n`,
      [user.id],
    );
    for (const table of ['email_confirmations', 'password_resets'])
      await api.sql(
        `insert into ${table} (user_id, address, digest, expires_at)
         select $1, 'a@b', sha256(n::text::bytea), now() - n * interval '10 days' from generate_series(1, 5) n`,
        [user.id],
      );
    await enqueue(PruneTokensJob);
    const left = async (): Promise<number[]> =>
      (
        await api.sql<{ id: number }>(
          `select id from personal_access_tokens where user_id = $1 and name <> 'test' order by id`,
          [user.id],
        )
      ).map(({ id }) => id);
    await eventually(
      left,
      keep.map(({ id }) => id),
    );
    await eventually(() => api.sql('select count(*)::int as total from sessions'), [{ total: 1 }]);
    for (const table of ['email_confirmations', 'password_resets'])
      await eventually(() => api.sql(`select count(*)::int as total from ${table}`), [{ total: 2 }]);
  });

  it('removes bots that can no longer be used', async () => {
    const group = await addGroup(api, 'bots');
    const [one, two] = [await addProject(api, group, 'bots/one'), await addProject(api, group, 'bots/two')];
    const used = await buildResourceToken(api.root, `projects/${one}`);
    const expired = await buildResourceToken(api.root, `projects/${one}`, { expires_at: '2020-01-01' });
    const revoked = await buildResourceToken(api.root, `projects/${one}`);
    await buildResourceToken(api.root, `projects/${two}`);
    expect((await api.as(revoked.token).delete('/personal_access_tokens/self')).status).toBe(204);
    await api.sql('update projects set pending_delete = true where id = $1', [two]);
    await enqueue(PruneBotsJob);
    await eventually(
      () => api.sql('select id from users where bot_source_id is not null order by id'),
      [{ id: used.user_id }, { id: expired.user_id }],
    );
    expect((await api.as(used.token).get('/version')).status).toBe(200);
  });
});
