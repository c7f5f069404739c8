import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Role } from '#kernel/access/roles.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import {
  buildBlockedDeployment,
  type BlockedDeployment,
} from '../../../../support/builders/blocked-deployment.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildMember } from '../../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import type { Answer, ApiClient } from '../../../../support/client.js';
import { untilBlocking } from '../../../../support/lock-waits.js';
import { readsDuring } from '../../../../support/watched-reads.js';

interface Approval {
  readonly user: { readonly id: number };
  readonly status: string;
  readonly comment: string | null;
}

interface Shown {
  readonly id: number;
  readonly status: string;
  readonly pending_approval_count: number;
  readonly approvals: Approval[];
  readonly approval_summary: {
    readonly rules: {
      readonly required_approvals: number;
      readonly access_level_description: string;
      readonly deployment_approvals: Approval[];
    }[];
  };
}

const NO_RIGHT =
  "You don't have permission to approve this deployment. Contact the project or group owner for help.";

describe('approvals of deployments', () => {
  let api: TestApi;
  let ci: CiEngine;
  let other: CreatedUser;

  beforeAll(async () => {
    api = await startApi();
    const group = await buildGroup(api);
    ci = await CiEngine.start(api, { namespace_id: group.id });
    await ci.project.maintainer.put(`/projects/${ci.project.id}`, {
      auto_cancel_pending_pipelines: 'disabled',
    });
    other = await member(40);
  });
  afterAll(() => api.close());

  const at = (suffix = ''): string => `/projects/${ci.project.id}${suffix}`;
  async function member(level: number): Promise<CreatedUser> {
    const user = await createUser(api);
    await buildMember(api, `projects/${ci.project.id}`, user.id, level);
    return user;
  }
  const blocked = (protection: object): Promise<BlockedDeployment> => buildBlockedDeployment(ci, protection);
  const shown = async (id: number): Promise<Shown> =>
    (await ci.project.reporter.get<Shown>(at(`/deployments/${id}`))).body;
  const approve = (
    client: ApiClient,
    id: number,
    values: object = {},
  ): Promise<Answer<Approval & { message?: string }>> =>
    client.post(at(`/deployments/${id}/approval`), { status: 'approved', ...values });
  const refused = async (answer: Promise<Answer<{ message?: string }>>, text: string): Promise<void> => {
    const { status, body } = await answer;
    expect([status, body]).toEqual([400, { message: text }]);
  };
  const play = async (jobId: number, client = ci.project.developer): Promise<Answer> =>
    client.post(at(`/jobs/${jobId}/play`));

  it('count for a deployment whose pipeline is removed meanwhile', async () => {
    const { id, pipeline } = await blocked({ required_approval_count: 2 });
    const { answer } = await api.app.get(DataSource).transaction(async (tx) => {
      await tx.query('delete from ci_pipelines where id = $1', [pipeline]);
      const begun = approve(ci.project.developer, id);
      await untilBlocking(api, tx);
      return { answer: begun };
    });
    expect(await answer).toMatchObject({ status: 201, body: { status: 'approved' } });
    expect(await shown(id)).toMatchObject({ status: 'blocked', pending_approval_count: 1 });
  });

  it('hold a job until enough users have approved, who can then play it', async () => {
    const { id, pipeline, jobId } = await blocked({ required_approval_count: 2 });
    expect(await ci.state(pipeline)).toBe('pipeline:manual deploy:manual');
    expect(await shown(id)).toMatchObject({
      status: 'blocked',
      pending_approval_count: 2,
      approvals: [],
      approval_summary: { rules: [] },
    });
    expect([(await play(jobId)).status, (await play(jobId)).body]).toEqual([
      400,
      { message: '400 Bad request - Unplayable Job' },
    ]);
    const first = await approve(ci.project.developer, id, { comment: 'Fine' });
    expect([first.status, first.body]).toEqual([
      201,
      {
        user: expect.objectContaining({ id: ci.project.developerId }) as unknown,
        status: 'approved',
        created_at: expect.any(String) as unknown,
        comment: 'Fine',
      },
    ]);
    const again = await approve(ci.project.developer, id, { comment: 'Other' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await shown(id)).toMatchObject({ status: 'blocked', pending_approval_count: 1 });
    expect((await approve(other.client, id)).status).toBe(201);
    const done = await shown(id);
    expect(done).toMatchObject({ status: 'created', pending_approval_count: 0 });
    expect(done.approvals.map(({ user }) => user.id)).toEqual([ci.project.developerId, other.id]);
    const { body: list } = await ci.project.reporter.get<Shown[]>(at('/deployments?order_by=id&sort=desc'));
    expect(list.find((one) => one.id === id)).toEqual({ ...done, deployable: expect.anything() as unknown });
    expect(await ci.state(pipeline)).toBe('pipeline:manual deploy:manual');
    expect((await play(jobId)).status).toBe(200);
    await ci.end(pipeline, 'deploy', 'success');
    expect((await shown(id)).status).toBe('success');
    await refused(approve(other.client, id), 'This deployment is not waiting for approvals.');
  });

  it('fail the job when a user rejects it, even after approving it', async () => {
    const { id, pipeline, jobId } = await blocked({ required_approval_count: 2 });
    await approve(ci.project.developer, id, { comment: 'Fine' });
    const answer = await approve(ci.project.developer, id, { status: 'rejected', comment: 'No' });
    expect([answer.status, answer.body]).toMatchObject([201, { status: 'rejected', comment: 'No' }]);
    const { status, approvals } = await shown(id);
    expect([status, approvals.length]).toEqual(['failed', 1]);
    expect(await ci.state(pipeline)).toBe('pipeline:failed deploy:failed');
    const { body } = await ci.project.reporter.get(at(`/jobs/${jobId}`));
    expect(body['failure_reason']).toBe('deployment_rejected');
    expect((await ci.project.developer.post(at(`/jobs/${jobId}/retry`))).status).toBe(403);
  });

  it('are refused for reasons in this order', async () => {
    const { id, name } = await blocked({ required_approval_count: 1 });
    const path = at(`/deployments/${id}/approval`);
    expect((await ci.project.developer.post(path, { status: 'maybe' })).body).toEqual({
      message: { status: ['does not have a valid value'] },
    });
    expect((await ci.project.developer.post(path, {})).body).toEqual({
      message: '400 (Bad request) "status" not given',
    });
    expect((await approve(ci.project.developer, id, { comment: 'x'.repeat(256) })).status).toBe(400);
    expect((await approve(ci.project.developer, 0)).body).toEqual({ message: '404 Deployment Not Found' });
    expect((await approve(ci.project.guest, id)).status).toBe(403);
    expect((await approve(api.anonymous, id)).status).toBe(401);
    expect((await approve((await createUser(api)).client, id)).status).toBe(404);
    const own =
      'You cannot approve your own deployment. This configuration can be adjusted in the protected environment settings.';
    await refused(approve(ci.project.maintainer, id), own);
    await refused(approve(ci.project.reporter, id), NO_RIGHT);
    await refused(approve(ci.project.reporter, id, { status: 'rejected' }), NO_RIGHT);
    await ci.project.maintainer.put(at(`/protected_environments/${name}`), { required_approval_count: 0 });
    await refused(
      approve(ci.project.developer, id),
      'Deployment approvals is not configured for this environment.',
    );
    await ci.project.maintainer.delete(at(`/protected_environments/${name}`));
    await refused(approve(ci.project.maintainer, id), 'This environment is not protected.');
    await api.sql(`update application_settings set license_plan = 'free', version = version + 1`);
    expect((await approve(ci.project.developer, id)).status).toBe(403);
    await api.sql(`update application_settings set license_plan = 'ultimate', version = version + 1`);
    const [job] = await api.sql<{ job_id: number }>('select job_id from deployments where id = $1', [id]);
    // No approvals are required any longer.
    expect((await play(job?.job_id ?? 0)).status).toBe(200);
    expect((await shown(id)).status).toBe('created');
  });

  it('of one’s own deployment depend on a setting of the project, but rejections do not', async () => {
    const { id } = await blocked({ required_approval_count: 1 });
    const rejected = await blocked({ required_approval_count: 1 });
    expect((await approve(ci.project.maintainer, rejected.id, { status: 'rejected' })).status).toBe(201);
    const { body } = await ci.project.maintainer.put(at(), {
      allow_pipeline_trigger_approve_deployment: true,
    });
    expect(body['allow_pipeline_trigger_approve_deployment']).toBe(true);
    expect((await approve(ci.project.maintainer, id)).status).toBe(201);
    expect((await shown(id)).status).toBe('created');
    await ci.project.maintainer.put(at(), { allow_pipeline_trigger_approve_deployment: false });
  });

  it('follow the rules for users, groups and roles, of the project and its ancestor groups', async () => {
    const security = await buildGroup(api, { name: `security-group-${Date.now()}` });
    const guard = await createUser(api);
    await buildMember(api, `groups/${security.id}`, guard.id, 30);
    await api.root.post(at('/share'), { group_id: security.id, group_access: 20 });
    const { id, pipeline, jobId } = await blocked({
      approval_rules: [
        { group_id: security.id, required_approvals: 1 },
        { access_level: 40, required_approvals: 1 },
      ],
    });
    expect(await shown(id)).toMatchObject({ status: 'blocked', pending_approval_count: 2 });
    await refused(approve(ci.project.developer, id), NO_RIGHT);
    await refused(
      approve(guard.client, id, { represented_as: 'qa' }),
      'There are no approval rules for the given `represent_as` parameter. Use a valid User/Group/Role name instead.',
    );
    expect((await approve(guard.client, id, { represented_as: 'security' })).status).toBe(201);
    expect((await play(jobId)).status).toBe(400);
    expect((await approve(other.client, id)).status).toBe(201);
    const { status, approval_summary: summary } = await shown(id);
    expect(status).toBe('created');
    expect(
      summary.rules.map((rule) => [
        rule.access_level_description,
        rule.deployment_approvals.map(({ user }) => user.id),
      ]),
    ).toEqual([
      [security.name, [guard.id]],
      ['Maintainers', [other.id]],
    ]);
    expect((await play(jobId)).status).toBe(200);
    expect(await ci.state(pipeline)).toContain('deploy:pending');
  });

  it('can be given for jobs that were manual before approvals were required', async () => {
    const pipeline = await ci.run('deploy: { script: x, when: manual, environment: late }');
    await ci.project.maintainer.post(at('/protected_environments'), {
      name: 'late',
      deploy_access_levels: [{ access_level: 30 }],
      required_approval_count: 1,
    });
    const jobId = await ci.job(pipeline, 'deploy');
    const { body } = await ci.project.reporter.get<Shown[]>(at('/deployments?environment=late'));
    expect((await play(jobId)).status).toBe(400);
    expect((await approve(ci.project.developer, body[0]?.id ?? 0)).status).toBe(201);
    expect((await play(jobId)).status).toBe(200);
  });

  it('hold back jobs of users who may not deploy, and remain valid', async () => {
    const { id, pipeline, jobId } = await blocked({
      deploy_access_levels: [{ access_level: 40 }],
      required_approval_count: 1,
    });
    await refused(approve(ci.project.developer, id), NO_RIGHT);
    expect((await approve(other.client, id)).status).toBe(201);
    expect((await play(jobId)).status).toBe(403);
    expect(await ci.state(pipeline)).toContain('deploy:manual');
    expect((await play(jobId, other.client)).status).toBe(200);
  });

  it('have a single result when users disagree at the same time', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, pipeline, jobId } = await blocked({ required_approval_count: 1 });
      const answers = await Promise.all([
        approve(ci.project.developer, id),
        approve(ci.project.developer, id),
        approve(other.client, id, { status: 'rejected' }),
        ci.project.developer.post(at(`/jobs/${jobId}/cancel`)),
      ]);
      for (const { status } of answers) expect([200, 201, 400]).toContain(status);
      const [job] = (await ci.state(pipeline)).split(' ').slice(1);
      const { status, approvals } = await shown(id);
      expect(new Set(approvals.map(({ user }) => user.id)).size).toBe(approvals.length);
      expect([`deploy:failed failed`, `deploy:canceled canceled`]).toContain(`${job ?? ''} ${status}`);
      if (status === 'failed') expect(approvals.some((one) => one.status === 'rejected')).toBe(true);
    }
  });

  it('need no statement for each deployment in lists', async () => {
    const path = at('/deployments?per_page=100');
    await ci.project.reporter.get(path);
    const reads = await readsDuring(api, async () => {
      const { body } = await ci.project.reporter.get<Shown[]>(path);
      expect(body.filter(({ approvals }) => approvals.length > 0).length).toBeGreaterThan(5);
    });
    expect(reads).toHaveLength(2);
  });

  it('cannot be given by users who left the project after a rule named them', async () => {
    await api.sql(`update projects set visibility = 'public' where id = $1`, [ci.project.id]);
    const leaver = await createUser(api);
    await buildMember(api, `projects/${ci.project.id}`, leaver.id, Role.Maintainer);
    const { id } = await blocked({ approval_rules: [{ user_id: leaver.id }] });
    await ci.project.maintainer.delete(at(`/members/${leaver.id}`));
    await refused(approve(leaver.client, id), NO_RIGHT);
    await buildMember(api, `projects/${ci.project.id}`, leaver.id, Role.Reporter);
    expect((await approve(leaver.client, id)).status).toBe(201);
    await api.sql(`update projects set visibility = 'private' where id = $1`, [ci.project.id]);
  });
});
