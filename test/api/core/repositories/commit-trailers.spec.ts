import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../support/builders/code-project.js';
import { longestOwnStop } from '../../../support/longest-stop.js';
import { borrowApi } from '../../../support/shared-api.js';

const MANY = 50_000;

describe('trailers of commits', () => {
  let api: TestApi;
  let code: CodeProject;
  beforeAll(async () => {
    api = await borrowApi();
    code = await buildCodeProject(api, (work) =>
      work.pipe(
        ['commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '--file=-'],
        `Title\n\n${'A: b\n'.repeat(MANY)}`,
      ),
    );
  });
  afterAll(async () => {
    code.work.remove();
    await api.close();
  });

  it('do not stop the service, however many of one name there are', async () => {
    const stop = await longestOwnStop(500, async () => {
      const found = await code.reporter.get<{ extended_trailers: Record<string, string[]> }>(
        `/projects/${code.id}/repository/commits/main`,
      );
      expect(found.body.extended_trailers['A']).toHaveLength(MANY);
    });
    expect(stop).toBeLessThan(500);
  });
});
