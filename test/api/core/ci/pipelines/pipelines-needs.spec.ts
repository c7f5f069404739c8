import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { borrowApi } from '../../../../support/shared-api.js';

const CHAIN = `
stages: [build, test]
build: { stage: build, script: x }
test: { stage: test, script: x, needs: [build] }
`;

describe('jobs that need others', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  /** Reports a status of the commit of a pipeline from outside. */
  const report = async (pipelineId: number, name: string, state: string): Promise<void> => {
    const [row] = await api.sql<{ sha: string }>('select sha from ci_pipelines where id = $1', [pipelineId]);
    const path = `/projects/${ci.project.id}/statuses/${row?.sha ?? ''}`;
    const answer = await ci.project.maintainer.post(path, {
      state,
      name,
      ref: 'main',
      pipeline_id: pipelineId,
    });
    expect(answer.status).toBe(201);
  };

  it.each(['build', 'build 2/2'])('do not wait for a status from outside that is named %s', async (name) => {
    const id = await ci.run(CHAIN);
    await report(id, name, 'running');
    expect(await ci.end(id, 'build', 'success')).toContain('test:pending');
  });

  it('are not skipped because of a failed status from outside with the name of the job', async () => {
    const id = await ci.run(CHAIN);
    await report(id, 'build', 'failed');
    expect(await ci.end(id, 'build', 'success')).toContain('test:pending');
  });

  it('do not wait for a job that is named like a copy of the needed one', async () => {
    const id = await ci.run(`${CHAIN}build 1/2: { stage: build, script: x }\n`);
    expect(await ci.end(id, 'build', 'success')).toContain('test:pending');
  });

  it('do not get the variables of a job that is named like a copy of the needed one', async () => {
    const id = await ci.run(`${CHAIN}build 1/2: { stage: build, script: x }\n`);
    for (const name of ['build', 'build 1/2']) {
      const values = [await ci.job(id, name), name];
      await api.sql(`insert into ci_job_variables (job_id, key, value) values ($1, 'FROM', $2)`, values);
      await ci.end(id, name, 'success');
    }
    expect((await ci.variablesOf(await ci.job(id, 'test'))).get('FROM')).toBe('build');
  });

  it('wait for all copies of a parallel job', async () => {
    const id = await ci.run(CHAIN.replace('build: { stage: build,', 'build: { stage: build, parallel: 2,'));
    expect(await ci.end(id, 'build 1/2', 'success')).toContain('test:created');
    expect(await ci.end(id, 'build 2/2', 'success')).toContain('test:pending');
  });

  it('are left alone by a retry if they need only a finished job that needs none', async () => {
    const id = await ci.run(`
stages: [build, test, deploy]
build: { stage: build, script: x }
lint: { stage: test, script: x, needs: [] }
fix: { stage: deploy, script: x, needs: [lint] }
test: { stage: test, script: x }
`);
    await ci.end(id, 'build', 'failed');
    expect(await ci.end(id, 'lint', 'failed')).toMatch(/ fix:skipped$/);
    await ci.act(id, 'build', 'retry');
    const users = await api.sql<{ name: string; isDeveloper: boolean }>(
      `select name, user_id = $2 as "isDeveloper" from ci_jobs where pipeline_id = $1 and not retried order by name`,
      [id, ci.project.developerId],
    );
    // Whoever retries a job becomes the user of those that are revived.
    expect(users.flatMap(({ name, isDeveloper }) => (isDeveloper ? name : []))).toEqual(['build', 'test']);
  });
});
