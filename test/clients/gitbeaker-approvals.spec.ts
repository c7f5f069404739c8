import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

const CONFIG = `
deploy:
  script: [make deploy]
  environment: { name: production, url: 'https://example.com' }
`;

describe('protected environments and approvals through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let project: { id: number };
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    project = await world.root.Projects.create({ name: 'Shop' });
    await world.root.ProjectMembers.add(project.id, AccessLevel.MAINTAINER, { userId: jane.id });
    await world.root.Commits.create(project.id, 'main', 'CI [skip ci]', [
      { action: 'create', filePath: '.gitlab-ci.yml', content: CONFIG },
    ]);
  });
  afterAll(() => world.close());

  it('protects environments, changes and removes protections', async () => {
    const { ProjectProtectedEnvironments } = jane.api;
    const made = await ProjectProtectedEnvironments.create(project.id, 'staging', [
      { accessLevel: AccessLevel.MAINTAINER },
      { userId: jane.id },
    ]);
    expect(made).toMatchObject({
      name: 'staging',
      deploy_access_levels: [{ access_level: 40 }, { user_id: jane.id }],
      required_approval_count: 0,
    });
    expect(await ProjectProtectedEnvironments.show(project.id, 'staging')).toEqual(made);
    expect(
      await ProjectProtectedEnvironments.edit(project.id, 'staging', { requiredApprovalCount: 2 }),
    ).toMatchObject({ required_approval_count: 2 });
    expect(
      await refusal(
        ProjectProtectedEnvironments.create(project.id, 'staging', [{ accessLevel: AccessLevel.MAINTAINER }]),
      ),
    ).toEqual([409, `Protected environment 'staging' already exists`]);
    await ProjectProtectedEnvironments.remove(project.id, 'staging');
    expect(await ProjectProtectedEnvironments.all(project.id)).toEqual([]);
  });

  it('protects a tier of a group', async () => {
    const group = await jane.api.Groups.create('Team', 'team');
    const { GroupProtectedEnvironments } = jane.api;
    const made = await GroupProtectedEnvironments.create(group.id, 'production', [
      { accessLevel: AccessLevel.MAINTAINER },
    ]);
    expect(await GroupProtectedEnvironments.all(group.id)).toEqual([made]);
    await GroupProtectedEnvironments.remove(group.id, 'production');
  });

  it('approves the deployment of a job, and runs it', async () => {
    const { Deployments, Jobs, Pipelines, ProjectProtectedEnvironments } = jane.api;
    await ProjectProtectedEnvironments.create(
      project.id,
      'production',
      [{ accessLevel: AccessLevel.MAINTAINER }],
      { approvalRules: [{ accessLevel: AccessLevel.MAINTAINER }] },
    );
    await world.root.Pipelines.create(project.id, 'main');
    const [deployment] = await Deployments.all(project.id, { environment: 'production' });
    const id = deployment?.id ?? 0;
    expect(deployment).toMatchObject({
      status: 'blocked',
      deployable: { name: 'deploy', status: 'manual', pipeline: { ref: 'main' } },
      pending_approval_count: 1,
      approvals: [],
    });
    expect(await refusal(world.root.Deployments.setApproval(project.id, id, 'approved'))).toEqual([
      400,
      expect.stringContaining('You cannot approve your own deployment.'),
    ]);
    expect(
      await Deployments.setApproval(project.id, id, 'approved', {
        comment: 'Go',
        representedAs: 'Maintainers',
      }),
    ).toMatchObject({ status: 'approved', comment: 'Go', user: { id: jane.id } });
    const shown = await Deployments.show(project.id, id);
    expect(shown).toMatchObject({
      status: 'created',
      pending_approval_count: 0,
      approval_summary: { rules: [{ access_level: 40, deployment_approvals: [{ comment: 'Go' }] }] },
    });
    const job = shown.deployable as unknown as { id: number };
    expect(await Jobs.play(project.id, job.id)).toMatchObject({ status: 'pending', user: { id: jane.id } });
    const [pipeline] = await Pipelines.all(project.id);
    await Pipelines.cancel(project.id, pipeline?.id ?? 0);
    expect((await Deployments.show(project.id, id)).status).toBe('canceled');
  });
});
