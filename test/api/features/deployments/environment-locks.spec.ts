import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { CiEngine } from '../../../support/ci-engine.js';
import { untilQuiet } from '../../../support/lock-waits.js';
import { borrowApi } from '../../../support/shared-api.js';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** PostgreSQL ends one of two transactions that wait for each other only after a second. */
const DEADLOCK_MS = 1_000;

let api: TestApi;
let ci: CiEngine;
beforeAll(async () => {
  api = await borrowApi();
  ci = await CiEngine.start(api);
  await ci.put({ auto_cancel_pending_pipelines: 'disabled', ci_forward_deployment_enabled: false });
});
afterAll(() => api.close());

const create = async (names: readonly string[]): Promise<number> => {
  await ci.configure(names.map((name, index) => `j${index}: { script: x, environment: ${name} }`).join('\n'));
  const id = await ci.create();
  await untilQuiet(api);
  return id;
};

it('pipelines that deploy to the same places in another order end without waiting for each other', async () => {
  const times: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const pipelines = [await create(NAMES), await create(NAMES.toReversed())];
    const begun = Date.now();
    const ended = await Promise.all(
      pipelines.map((id) =>
        ci.project.developer.post<{ status: string }>(`/projects/${ci.project.id}/pipelines/${id}/cancel`),
      ),
    );
    times.push(Date.now() - begun);
    expect(ended.map(({ body }) => body.status)).toEqual(['canceled', 'canceled']);
  }
  expect(Math.min(...times)).toBeLessThan(DEADLOCK_MS);
});
