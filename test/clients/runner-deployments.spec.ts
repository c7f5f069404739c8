import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, type TestApi } from '../support/api.js';
import { addUser, type AddedUser } from '../support/builders/instance.js';
import { buildMember } from '../support/builders/member.js';
import { buildProject, type BuiltProject } from '../support/builders/project.js';
import { registrationToken } from '../support/builders/runner.js';
import { WorkingCopy } from '../support/git.js';
import { gitUrl } from '../support/git-http.js';
import { TestRunner } from '../support/runner/runner.js';
import { borrowApi } from '../support/shared-api.js';

const CONFIG = `
stages: [build, deploy, end]

build:
  stage: build
  script: [mkdir dist, echo built > dist/app.txt]
  artifacts: { paths: [dist/] }

staging:
  stage: deploy
  script:
    - cat dist/app.txt
    - echo "to $CI_ENVIRONMENT_NAME ($CI_ENVIRONMENT_SLUG) at $CI_ENVIRONMENT_URL, frozen=\${CI_DEPLOY_FREEZE:-no}"
  environment: { name: staging/$CI_COMMIT_REF_SLUG, url: "https://$CI_COMMIT_REF_SLUG.example.com", on_stop: stop }

production:
  stage: deploy
  script: [cat dist/app.txt]
  environment: production

hold:
  stage: deploy
  script: [echo never]
  rules:
    - if: $CI_DEPLOY_FREEZE == null

stop:
  stage: end
  script: [echo "bye $CI_ENVIRONMENT_NAME"]
  when: manual
  variables: { GIT_STRATEGY: none }
  environment: { name: staging/$CI_COMMIT_REF_SLUG, action: stop }
`;

interface DeploymentSeen {
  readonly id: number;
  readonly status: string;
  readonly environment: { readonly id: number; readonly name: string; readonly external_url: string | null };
  readonly deployable: { readonly id: number; readonly name: string; readonly status: string } | null;
  readonly pending_approval_count: number;
}

describe('deployments by a runner', () => {
  let api: TestApi;
  let project: BuiltProject;
  let maintainer: AddedUser;
  let runner: TestRunner;
  let work: WorkingCopy;

  beforeAll(async () => {
    api = await borrowApi();
    project = await buildProject(api.root);
    maintainer = await addUser(api, 'approver');
    await buildMember(api, `projects/${project.id}`, maintainer.id, 40);
    const token = await registrationToken(api, { project: project.id });
    runner = await TestRunner.register(api.url, token, { cloneUrl: api.url });
    work = await new WorkingCopy().init();
  });
  afterAll(async () => {
    work.remove();
    await api.close();
  });

  const at = (path: string): string => `/projects/${project.id}${path}`;
  const deployments = async (): Promise<Map<string, DeploymentSeen>> => {
    const { body } = await api.root.get<DeploymentSeen[]>(at('/deployments'));
    return new Map(body.map((deployment) => [deployment.environment.name, deployment]));
  };
  const jobs = async (): Promise<Map<string, { id: number; status: string }>> => {
    const { body } = await api.root.get<{ id: number; name: string; status: string }[]>(at('/jobs'));
    return new Map(body.map((job) => [job.name, job]));
  };

  it('wait for approval, see the freeze, and report who did what', async () => {
    const rules = { deploy_access_levels: [{ access_level: 40 }], required_approval_count: 1 };
    const made = await api.root.post(at('/protected_environments'), { name: 'production', ...rules });
    expect(made.status).toBe(201);
    const allYear = { freeze_start: '0 0 1 1 *', freeze_end: '59 23 31 12 *' };
    expect((await api.root.post(at('/freeze_periods'), allYear)).status).toBe(201);
    expect((await api.root.get(at('/freeze_periods/status'))).body).toMatchObject({ frozen: true });

    await work.commit({ '.gitlab-ci.yml': CONFIG }, 'First');
    const url = gitUrl(api, `/${project.path_with_namespace}.git`, ['root', ROOT_TOKEN]);
    await work.git('push', '--quiet', url, 'main');
    const results = await runner.runUntil(
      async () => (await deployments()).get('staging/main')?.status === 'success',
    );
    // No user has approved production, and the rules exclude `hold` during the freeze.
    expect(results.map(({ job, state }) => [job.job_info.name, state])).toEqual([
      ['build', 'success'],
      ['staging', 'success'],
    ]);
    const staging = (await deployments()).get('staging/main');
    expect(staging).toMatchObject({
      deployable: { name: 'staging', status: 'success' },
      environment: { external_url: 'https://main.example.com' },
    });
    const trace = await api.root.get(at(`/jobs/${staging?.deployable?.id ?? 0}/trace`));
    expect(trace.text).toMatch(/built\n/);
    expect(trace.text).toMatch(
      /to staging\/main \(staging-main-\w+\) at https:\/\/main.example.com, frozen=true/,
    );
    expect((await deployments()).get('production')).toMatchObject({
      status: 'blocked',
      pending_approval_count: 1,
      deployable: { name: 'production', status: 'manual' },
    });
  });

  it('continue once another user has approved them', async () => {
    const blocked = (await deployments()).get('production');
    const job = blocked?.deployable?.id ?? 0;
    expect((await api.root.post(at(`/jobs/${job}/play`))).status).toBe(400);
    const approval = at(`/deployments/${blocked?.id ?? 0}/approval`);
    const own = await api.root.post(approval, { status: 'approved' });
    expect([own.status, own.text]).toEqual([
      400,
      expect.stringContaining('cannot approve your own deployment'),
    ]);
    const approved = await api.as(maintainer.token).post(approval, { status: 'approved', comment: 'go' });
    expect([approved.status, approved.body]).toMatchObject([201, { status: 'approved', comment: 'go' }]);
    expect((await deployments()).get('production')?.status).toBe('created');
    expect((await api.as(maintainer.token).post(at(`/jobs/${job}/play`))).status).toBe(200);
    await runner.runUntil(async () => (await deployments()).get('production')?.status === 'success');
  });

  it('end with the job that stops the environment', async () => {
    const id = (await deployments()).get('staging/main')?.environment.id ?? 0;
    const stopping = await api.root.post<{ state: string }>(at(`/environments/${id}/stop`));
    expect([stopping.status, stopping.body.state]).toEqual([200, 'stopping']);
    await runner.runUntil(async () => (await jobs()).get('stop')?.status === 'success');
    const stopped = await api.root.get<{ state: string }>(at(`/environments/${id}`));
    expect(stopped.body.state).toBe('stopped');
  });
});
