import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { CiEngine } from '../../../support/ci-engine.js';
import { deadlocksOf, untilQuiet } from '../../../support/lock-waits.js';
import { borrowApi } from '../../../support/shared-api.js';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

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

it('pipelines that deploy to the same environments in another order are canceled without a deadlock', async () => {
  const before = await deadlocksOf(api);
  for (let round = 0; round < 4; round += 1) {
    const pipelines = [await create(NAMES), await create(NAMES.toReversed())];
    const ended = await Promise.all(
      pipelines.map((id) =>
        ci.project.developer.post<{ status: string }>(`/projects/${ci.project.id}/pipelines/${id}/cancel`),
      ),
    );
    expect(ended.map(({ body }) => body.status)).toEqual(['canceled', 'canceled']);
  }
  expect(await deadlocksOf(api)).toBe(before);
});
