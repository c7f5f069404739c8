import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { borrowApi } from '../../../../support/shared-api.js';

describe('an unset variable', () => {
  let api: TestApi;
  let ci: CiEngine;
  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  it('as a resource group is none', async () => {
    const id = await ci.run(`
a: { script: x, resource_group: $UNSET }
b: { script: x, resource_group: ' $UNSET ' }
c: { script: x, resource_group: $UNSET }
`);
    expect(await ci.state(id)).toBe('pipeline:pending a:pending b:pending c:pending');
  });

  it('as a tag is none; others are trimmed', async () => {
    const id = await ci.run(`
a:
  variables: { SET: ' linux ' }
  script: x
  tags: [$UNSET, $SET, linux, ' $UNSET']
`);
    const path = `/projects/${ci.project.id}/jobs/${await ci.job(id, 'a')}`;
    expect((await ci.project.developer.get(path)).body).toMatchObject({ tag_list: ['linux'] });
    const queued = await api.sql('select tag_list from ci_pending_jobs where job_id = $1', [
      await ci.job(id, 'a'),
    ]);
    expect(queued).toEqual([{ tag_list: ['linux'] }]);
  });
});
