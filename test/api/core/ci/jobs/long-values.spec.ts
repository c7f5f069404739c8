import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { borrowApi } from '../../../../support/shared-api.js';

const LONG = `variables: { LONG: '${'x'.repeat(16_000)}' }\n`;
const named = (count: number, write: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => write(at));

describe('a long value that a short configuration uses many times', () => {
  let api: TestApi;
  let ci: CiEngine;
  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  it.each([
    ['a variable', `${LONG}default: { tags: [${named(49, (at) => `'\${LONG}${at}'`).join()}] }\n`],
    ['the default', `default: { tags: [${named(20, (at) => `${'x'.repeat(16_000)}${at}`).join()}] }\n`],
  ])('as tags, from %s, is refused', async (_from, head) => {
    const jobs = (count: number): string => head + named(count, (at) => `job${at}: { script: x }`).join('\n');
    const path = `/projects/${ci.project.id}/pipeline`;
    await ci.configure(jobs(60));
    expect(await ci.project.maintainer.post(path, { ref: 'main' })).toMatchObject({
      status: 400,
      body: { message: { base: ['The pipeline is too big'] } },
    });
    await ci.configure(jobs(1));
    expect((await ci.project.maintainer.post(path, { ref: 'main' })).status).toBe(201);
  });

  it('as variables of a child pipeline, fails its bridge', async () => {
    const child = { 'child.yml': 'inner: { script: x }' };
    const bridge = (count: number): string =>
      `${LONG}start: { trigger: { include: child.yml }, variables: { ${named(count, (at) => `V${at}: $LONG`).join()} } }`;
    const large = await ci.run(bridge(1_100), child);
    await ci.reaches(large, 'pipeline:failed start:failed');
    const small = await ci.run(bridge(10), child);
    await ci.reaches(small, 'pipeline:success start:success');
  });
});
