import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { VariableSecretsService } from '#core/ci/variables/variable-secrets.service.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildJob, buildPipeline } from '../../../../support/builders/ci.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildProject } from '../../../../support/builders/project.js';
import { registerRunner, requestJob } from '../../../../support/builders/runner.js';
import { longestOwnStop } from '../../../../support/longest-stop.js';

/** As many as a group may have. */
const COUNT = 30_000;
const LIMIT_MS = 400;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('a job with as many variables as there may be does not hold up other requests', async () => {
  const group = await buildGroup(api);
  const project = await buildProject(api.root, { namespace_id: group.id });
  const runner = await registerRunner(api, { project: project.id });
  const secrets = api.app.get(VariableSecretsService);
  const keys = Array.from({ length: COUNT }, (_, at) => `KEY_${at}`);
  await api.sql(
    `insert into ci_variables (owner_type, owner_id, key, value, environment_scope)
      select 'Group', $1, key, value, 'none/*' from unnest($2::text[], $3::text[]) as x(key, value)`,
    [
      group.id,
      keys,
      keys.map((key) => secrets.seal('value', { ownerType: 'Group', ownerId: group.id, key })),
    ],
  );
  const take = async (environment: string | null): Promise<number> => {
    await buildJob(api, await buildPipeline(api, project.id), { environment });
    const { status, body } = await requestJob(api, runner);
    expect(status).toBe(201);
    return (body['variables'] as { key: string }[]).filter(({ key }) => key.startsWith('KEY_')).length;
  };
  const others = await longestOwnStop(LIMIT_MS, async () => expect(await take('some/place')).toBe(0));
  await api.sql(`update ci_variables set environment_scope = '*' where owner_id = $1`, [group.id]);
  const all = await longestOwnStop(LIMIT_MS, async () => expect(await take(null)).toBe(COUNT));
  expect(Math.max(others, all)).toBeLessThan(LIMIT_MS);
});
