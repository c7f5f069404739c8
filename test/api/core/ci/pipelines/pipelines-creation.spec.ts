import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import type { TestApi } from '../../../../support/api.js';
import { upload, zipOf } from '../../../../support/builders/artifacts.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import { refusalOf } from '../../../../support/code.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

const THREE = `
stages: [build, test, deploy]
build: { stage: build, script: make }
test: { stage: test, script: make test }
deploy: { stage: deploy, script: make deploy }
`;

describe('the creation of pipelines', () => {
  let api: TestApi;
  let ci: CiEngine;

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
  });
  afterAll(() => api.close());

  describe('variables', () => {
    it('describe the context of a job; more specific ones take precedence', async () => {
      const sha = await ci.configure(`
variables: { A: file, B: file, C: file, NESTED: "$A" }
produce: { stage: build, script: x }
job 1: { stage: test, script: x, image: alpine, variables: { B: job } }
`);
      await ci.put({ restrict_user_defined_variables: false });
      const id = await ci.create({ variables: [{ key: 'C', value: 'asked' }] });
      await api.sql(
        `insert into ci_job_variables (job_id, key, value) values ($1, 'A', 'handed on'), ($1, 'CI_X', 'y')`,
        [await ci.job(id, 'produce')],
      );
      await ci.end(id, 'produce', 'success');
      const jobId = await ci.job(id, 'job 1');
      const found = await ci.variablesOf(jobId);
      const web = `http://forgeplane.test/${ci.project.fullPath}`;
      expect(Object.fromEntries(found)).toMatchObject({
        A: 'handed on',
        B: 'job',
        C: 'asked',
        CI: 'true',
        GITLAB_CI: 'true',
        CI_API_V4_URL: 'http://forgeplane.test/api/v4',
        CI_SERVER_HOST: 'forgeplane.test',
        CI_SERVER_PORT: '80',
        CI_SERVER_VERSION_MAJOR: '16',
        CI_PROJECT_ID: String(ci.project.id),
        CI_PROJECT_PATH: ci.project.fullPath,
        CI_PROJECT_ROOT_NAMESPACE: ci.project.fullPath.split('/')[0],
        CI_PROJECT_URL: web,
        CI_DEFAULT_BRANCH: 'main',
        CI_PIPELINE_ID: String(id),
        CI_PIPELINE_SOURCE: 'api',
        CI_PIPELINE_URL: `${web}/-/pipelines/${id}`,
        CI_COMMIT_SHA: sha,
        CI_COMMIT_SHORT_SHA: sha.slice(0, 8),
        CI_COMMIT_BEFORE_SHA: NO_OBJECT,
        CI_COMMIT_BRANCH: 'main',
        CI_COMMIT_REF_NAME: 'main',
        CI_COMMIT_REF_SLUG: 'main',
        CI_COMMIT_TITLE: 'Configure',
        CI_COMMIT_AUTHOR: 'Ada <ada@example.com>',
        CI_JOB_ID: String(jobId),
        CI_JOB_NAME: 'job 1',
        CI_JOB_NAME_SLUG: 'job-1',
        CI_JOB_STAGE: 'test',
        CI_JOB_IMAGE: 'alpine',
        CI_NODE_TOTAL: '1',
      });
      expect(found.has('CI_COMMIT_TAG')).toBe(false);
      const [pipeline] = await api.sql<{ text: string }>(
        'select p::text as text from ci_pipelines p where id = $1',
        [id],
      );
      expect(pipeline?.text).not.toContain('asked');
    });

    it('cannot be set by all users if that is restricted', async () => {
      await ci.put({ restrict_user_defined_variables: true });
      const given = { ref: 'main', variables: [{ key: 'C', value: 'x' }] };
      await api.sql(`delete from protected_refs where project_id = $1`, [ci.project.id]);
      const refused = await ci.project.developer.post(`/projects/${ci.project.id}/pipeline`, given);
      expect(refusalOf(refused)).toEqual([
        400,
        { base: ['Insufficient permissions to set pipeline variables'] },
      ]);
      await ci.put({ restrict_user_defined_variables: false });
      expect((await ci.project.developer.post(`/projects/${ci.project.id}/pipeline`, given)).status).toBe(
        201,
      );
    });
  });

  describe('requesting a pipeline', () => {
    const ask = (values: Readonly<Record<string, unknown>>, who = ci.project.developer) =>
      who.post(`/projects/${ci.project.id}/pipeline`, values);
    const base = (text: string): [number, unknown] => [400, { base: [text] }];

    it('returns the reason if no pipeline is created, and stores nothing', async () => {
      const before = await ci.pipelines('api');
      expect(refusalOf(await ask({ ref: 'nope' }))).toEqual(base('Reference not found'));
      expect(refusalOf(await ask({ ref: '--all' }))).toEqual(base('Reference not found'));
      expect(refusalOf(await ask({ ref: ci.project.commits[0] }))).toEqual(base('Reference not found'));
      const { work, repositoryPath } = ci.project;
      await work.git('push', '--quiet', repositoryPath, `${ci.project.commits[0] as string}:refs/heads/bare`);
      expect(refusalOf(await ask({ ref: 'bare' }))).toEqual(base('Missing CI config file'));
      await ci.configure('job: { script: x, rules: [{ when: never }] }');
      expect(refusalOf(await ask({ ref: 'main' }))).toEqual(
        base(
          'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
        ),
      );
      await ci.configure('job: { stage: nowhere, script: x }');
      expect((await ask({ ref: 'main' })).status).toBe(400);
      await ci.configure(THREE);
      await ci.put({ builds_access_level: 'disabled' });
      expect((await ask({ ref: 'main' })).status).toBe(403);
      await ci.put({ builds_access_level: 'enabled' });
      expect(await ci.pipelines('api')).toEqual(before);
      expect(refusalOf(await ask({ ref: 'main' }, ci.project.reporter))[0]).toBe(403);
    });

    it('respects protected branches, and requires the right to push or merge', async () => {
      await ci.project.maintainer.post(`/projects/${ci.project.id}/protected_branches`, {
        name: 'main',
        push_access_level: 40,
        merge_access_level: 40,
      });
      expect(refusalOf(await ask({ ref: 'main' }))[0]).toBe(400);
      const id = await ci.create();
      expect(await api.sql('select distinct protected from ci_jobs where pipeline_id = $1', [id])).toEqual([
        { protected: true },
      ]);
      expect(refusalOf(await ci.act(id, 'build', 'cancel'))[0]).toBe(403);
      expect(refusalOf(await ci.act(id, 'build', 'retry'))[0]).toBe(403);
      const secret = { key: 'SECRET', value: 'only there', protected: true };
      await ci.project.maintainer.post(`/projects/${ci.project.id}/variables`, secret);
      const given = async (): Promise<string | undefined> =>
        (await ci.variablesOf(await ci.job(id, 'build'))).get('SECRET');
      expect(await given()).toBe('only there');
      const answer = await ci.project.maintainer.delete(`/projects/${ci.project.id}/protected_branches/main`);
      expect(answer.status).toBe(204);
      // From here on Developers may run the job again.
      expect(await given()).toBeUndefined();
    });

    it('uses a custom path of the configuration', async () => {
      await ci.put({ ci_config_path: 'ci/other.yml' });
      const id = await ci.run(THREE, { 'ci/other.yml': 'other: { script: x }' });
      expect(await ci.state(id)).toBe('pipeline:pending other:pending');
      await ci.put({ ci_config_path: '' });
    });
  });

  describe('child pipelines', () => {
    const PARENT = `
stages: [a, b]
follow: { stage: a, trigger: { include: child.yml, strategy: depend }, variables: { FROM: "parent $CI_COMMIT_BRANCH" } }
loose: { stage: a, trigger: { include: child.yml } }
after: { stage: b, script: x }
`;
    const CHILD = 'inner: { script: x }';

    it('are started by bridges, which wait for them if configured', async () => {
      const id = await ci.run(PARENT, { 'child.yml': CHILD });
      await ci.reaches(id, 'pipeline:running follow:running loose:success after:created');
      const children = await api.sql<{ id: number; source: string; bridge: string }>(
        `select c.id, c.source, j.name as bridge from ci_pipelines c join ci_jobs j on j.id = c.bridge_id where c.parent_id = $1 order by j.id`,
        [id],
      );
      expect(children.map(({ source, bridge }) => `${source} ${bridge}`)).toEqual([
        'parent_pipeline follow',
        'parent_pipeline loose',
      ]);
      const child = children[0]?.id as number;
      expect((await ci.variablesOf(await ci.job(child, 'inner'))).get('FROM')).toBe('parent main');
      await ci.end(child, 'inner', 'success');
      await ci.reaches(id, 'pipeline:running follow:success loose:success after:pending');
    });

    it('wait until their bridge is played', async () => {
      const id = await ci.run('t: { when: manual, trigger: { include: child.yml, strategy: depend } }', {
        'child.yml': CHILD,
      });
      const played = await ci.act(id, 't', 'play');
      expect([played.status, played.body.user.id]).toEqual([200, ci.project.developerId]);
      await ci.reaches(id, 'pipeline:running t:running');
      const again = await ci.act(id, 't', 'play');
      expect([again.status, again.body]).toEqual([400, { message: '400 Bad request - Unplayable Job' }]);
    });

    it('fail their bridge, which waits again when they are retried, and are canceled with it', async () => {
      const id = await ci.run(PARENT, { 'child.yml': CHILD });
      await ci.reaches(id, 'pipeline:running follow:running loose:success after:created');
      const children = await api.sql<{ id: number }>(
        'select id from ci_pipelines where parent_id = $1 order by bridge_id',
        [id],
      );
      const child = (children[0] as { id: number }).id;
      await ci.end(child, 'inner', 'failed');
      await until(async () => (await ci.state(id)).startsWith('pipeline:failed'));
      await ci.act(child, 'inner', 'retry');
      await ci.reaches(id, 'pipeline:running loose:success follow:running after:created');
      // A skipped job runs with the rights of the user who retried the child: those decide about deployments.
      const after = await ci.project.developer.get<{ user: { id: number } }>(
        `/projects/${ci.project.id}/jobs/${await ci.job(id, 'after')}`,
      );
      expect(after.body.user.id).toBe(ci.project.developerId);
      await ci.end(child, 'inner', 'success');
      await ci.reaches(id, 'pipeline:running loose:success follow:success after:pending');
      await ci.project.maintainer.post(`/projects/${ci.project.id}/pipelines/${id}/cancel`);
      await ci.reaches((children[1] as { id: number }).id, 'pipeline:canceled inner:canceled');
    });

    it('can be generated by a job, whose artifacts can be erased afterwards', async () => {
      const id = await ci.run(`
stages: [a, b]
write: { stage: a, script: x, artifacts: { paths: [out] } }
child: { stage: b, trigger: { include: [{ artifact: out/made.yml, job: write }] } }
`);
      await ci.end(id, 'write', 'running');
      const writer = await ci.job(id, 'write');
      const token = randomToken('glcbt-');
      await api.sql('update ci_jobs set token_digest = $2 where id = $1', [writer, digestToken(token)]);
      const archive = await zipOf({ 'out/made.yml': 'made: { script: x }' });
      expect((await upload(api, writer, token, archive)).status).toBe(201);
      expect(refusalOf(await ci.act(id, 'write', 'erase'))).toEqual([403, '403 Forbidden']);
      await ci.end(id, 'write', 'success');
      await ci.reaches(id, 'pipeline:success write:success child:success');
      const [made] = await api.sql<{ id: number }>('select id from ci_pipelines where parent_id = $1', [id]);
      expect(await ci.state(made?.id as number)).toBe('pipeline:pending made:pending');
      const path = `/projects/${ci.project.id}/jobs/${writer}/erase`;
      const erased = await ci.project.maintainer.post(path);
      expect(erased.status).toBe(201);
      expect(erased.body['erased_at']).not.toBeNull();
      expect(erased.body['artifacts']).toEqual([]);
      expect(refusalOf(await ci.project.maintainer.post(path))).toEqual([
        403,
        '403 Forbidden - Job is not erasable!',
      ]);
    });

    it('require a configuration, and are limited to two generations', async () => {
      const id = await ci.run('gone: { trigger: { include: nowhere.yml } }');
      await ci.reaches(id, 'pipeline:failed gone:failed');
      expect(await reasonOf(id)).toBe('downstream_pipeline_creation_failed');
      const endless = await ci.run('again: { trigger: { include: .gitlab-ci.yml, strategy: depend } }');
      await ci.reaches(endless, 'pipeline:failed again:failed');
      const family = await api.sql<{ reason: string | null; depth: number }>(
        `with recursive family as (select id, 0 as depth from ci_pipelines where id = $1
           union all select c.id, f.depth + 1 from ci_pipelines c join family f on c.parent_id = f.id)
         select j.failure_reason as reason, f.depth from family f join ci_jobs j on j.pipeline_id = f.id order by f.depth`,
        [endless],
      );
      expect(family.map(({ depth }) => depth)).toEqual([0, 1, 2]);
      expect(family[2]?.reason).toBe('reached_max_descendant_pipelines_depth');
    });

    const reasonOf = async (pipelineId: number): Promise<string | undefined> =>
      (
        await api.sql<{ reason: string }>(
          'select failure_reason as reason from ci_jobs where pipeline_id = $1',
          [pipelineId],
        )
      )[0]?.reason;
  });

  describe('removing', () => {
    it('includes child pipelines, and updates counts', async () => {
      const id = await ci.run('child: { trigger: { include: child.yml } }', {
        'child.yml': 'inner: { script: x }',
      });
      await ci.reaches(id, 'pipeline:success child:success');
      const count = async () =>
        (
          await api.sql<{ live: number; rows: number }>(
            `select live_count::int as live, (select count(*)::int from ci_pipelines where project_id = $1) as rows
           from internal_ids where project_id = $1 and usage = 'pipelines'`,
            [ci.project.id],
          )
        )[0];
      const before = await count();
      expect((await api.root.delete(`/projects/${ci.project.id}/pipelines/${id}`)).status).toBe(204);
      const after = await count();
      expect([after?.live, after?.rows]).toEqual([(before?.live ?? 0) - 2, (before?.rows ?? 0) - 2]);
      expect(after?.live).toBe(after?.rows);
    });
  });
});
