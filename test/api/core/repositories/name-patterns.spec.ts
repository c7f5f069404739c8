import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { longestOwnStop } from '../../../support/longest-stop.js';
import { borrowApi } from '../../../support/shared-api.js';

/** Fewer characters than the limit, and more than a hundred thousand instructions. */
const HEAVY = `(?:${'()'.repeat(120)}){1000}`;
/** Far less than the time that the event loop takes for it. */
const LIMIT_MS = 500;

describe('regular expressions for names of branches', () => {
  let api: TestApi;
  let code: CodeProject;
  beforeAll(async () => {
    api = await borrowApi();
    code = await buildCodeProject(api, async (work) => {
      await work.git('branch', 'v10');
    });
  });
  afterAll(async () => {
    code.work.remove();
    await api.close();
  });

  it('do not stop the service, whatever they are', async () => {
    const path = `/projects/${code.id}/repository/branches?regex=${encodeURIComponent(HEAVY)}`;
    const stop = await longestOwnStop(LIMIT_MS, async () => {
      expect([200, 400]).toContain((await code.reporter.get(path)).status);
    });
    expect(stop).toBeLessThan(LIMIT_MS);
  });

  it('may repeat what they look for', async () => {
    const path = `/projects/${code.id}/repository/branches?regex=${encodeURIComponent('^v[0-9]{2}$')}`;
    const { body } = await code.reporter.get<{ name: string }[]>(path);
    expect(body.map(({ name }) => name)).toEqual(['v10']);
  });
});
