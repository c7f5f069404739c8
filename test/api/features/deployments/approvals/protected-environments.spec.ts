import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildMember } from '../../../../support/builders/member.js';
import { createUser } from '../../../../support/builders/user.js';
import { MAINTAINERS, ProtectionDesk, type Protection } from '../../../../support/protection-desk.js';
import { borrowApi } from '../../../../support/shared-api.js';

describe('protected environments of projects', () => {
  let api: TestApi;
  let desk: ProtectionDesk;
  beforeAll(async () => {
    api = await borrowApi();
    desk = await ProtectionDesk.open(api);
  });
  afterAll(() => api.close());

  it('are created, shown, listed, changed and removed', async () => {
    const made = await desk.protect({
      name: 'review/one',
      required_approval_count: 3,
      approval_rules: [{ access_level: 30, required_approvals: 2, group_inheritance_type: 1 }],
    });
    expect([made.status, made.body]).toEqual([
      201,
      {
        name: 'review/one',
        deploy_access_levels: [
          {
            id: expect.any(Number) as unknown,
            access_level: 40,
            access_level_description: 'Maintainers',
            user_id: null,
            group_id: null,
            group_inheritance_type: 0,
          },
        ],
        required_approval_count: 3,
        approval_rules: [
          {
            id: expect.any(Number) as unknown,
            access_level: 30,
            access_level_description: 'Developers + Maintainers',
            user_id: null,
            group_id: null,
            group_inheritance_type: 1,
            required_approvals: 2,
          },
        ],
      },
    ]);
    await desk.protect({ name: 'a first' });
    const list = await desk.maintainer.get<Protection[]>(desk.own());
    expect(list.body.map(({ name }) => name)).toEqual(['a first', 'review/one']);
    expect(list.headers.get('x-total')).toBe('2');
    const [rule] = made.body.approval_rules;
    const changed = await desk.change('review/one', {
      required_approval_count: 1,
      deploy_access_levels: [{ user_id: desk.developer.id }],
      approval_rules: [{ id: rule?.id, required_approvals: 5 }, { access_level: 60 }],
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      required_approval_count: 1,
      deploy_access_levels: [{ access_level: 40 }, { user_id: desk.developer.id, access_level: null }],
      approval_rules: [
        { id: rule?.id, access_level: 30, required_approvals: 5 },
        { access_level: 60, required_approvals: 1 },
      ],
    });
    const levels = changed.body.deploy_access_levels;
    const swapped = await desk.change('review/one', {
      deploy_access_levels: [
        { id: levels[0]?.id, _destroy: true },
        { id: levels[1]?.id, access_level: 30 },
      ],
      approval_rules: [{ id: rule?.id, _destroy: true }],
    });
    expect(swapped.body).toMatchObject({
      deploy_access_levels: [{ id: levels[1]?.id, access_level: 30, user_id: null }],
      approval_rules: [{ access_level: 60 }],
    });
    expect(await desk.get('review/one')).toMatchObject({ body: swapped.body });
    const stale = await desk.maintainer.delete(desk.own('review/one'), {
      'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT',
    });
    expect(stale.status).toBe(412);
    expect((await desk.maintainer.delete(desk.own('review/one'))).status).toBe(204);
    const gone = await desk.get('review/one');
    expect([gone.status, gone.body]).toEqual([404, { message: '404 Protected Environment Not Found' }]);
    const events = await api.sql<{ message: string }>(
      `select details ->> 'event_name' as message from audit_events where details ->> 'target_type' = 'ProtectedEnvironment'
         and details ->> 'target_details' = 'review/one' order by id`,
    );
    expect(events.map(({ message }) => message)).toEqual([
      'protected_environment_created',
      'protected_environment_updated',
      'protected_environment_updated',
      'protected_environment_removed',
    ]);
  });

  const tooShort = ['Deploy access levels is too short (minimum is 1 character)'];

  it('cannot exclude everyone', async () => {
    expect(await desk.refused({})).toEqual([400, '400 (Bad request) "deploy_access_levels" not given']);
    expect(await desk.refused({ deploy_access_levels: [] })).toEqual([422, tooShort]);
    const [{ id: stranger }, { id: strange }] = [await createUser(api), await buildGroup(api)];
    const levels = [{ user_id: stranger }, { group_id: strange }];
    expect(await desk.refused({ deploy_access_levels: levels })).toEqual([422, tooShort]);
    const rules = [{ user_id: stranger }];
    expect(await desk.refused({ deploy_access_levels: MAINTAINERS, approval_rules: rules })).toEqual([
      422,
      [expect.stringMatching(/^Approval rules /)],
    ]);
    expect((await desk.get('wrong')).status).toBe(404);
  });

  it.each([{ access_level: null }, { access_level: 50 }, { access_level: 0 }])(
    'refuse %j as a level for deploying',
    async (level) => {
      expect(await desk.refused({ deploy_access_levels: [level] })).toEqual([
        422,
        [expect.stringMatching(/^Deploy access levels /)],
      ]);
    },
  );

  it('refuse a level that also names a user', async () => {
    const level = { access_level: 40, user_id: desk.developer.id };
    expect(await desk.refused({ deploy_access_levels: [level] })).toEqual([
      422,
      [expect.stringMatching(/^Deploy access levels /)],
    ]);
    expect((await desk.refused({ deploy_access_levels: ['x'] }))[0]).toBe(400);
  });

  it.each([
    {},
    { access_level: 20 },
    { access_level: 40, required_approvals: 0 },
    { access_level: 40, required_approvals: 6 },
  ])('refuse %j as an approval rule', async (rule) => {
    expect(await desk.refused({ deploy_access_levels: MAINTAINERS, approval_rules: [rule] })).toEqual([
      422,
      [expect.stringMatching(/^Approval rules /)],
    ]);
  });

  it.each([-1, 6])('refuse to require %d approvals', async (required_approval_count) => {
    const values = { deploy_access_levels: MAINTAINERS, required_approval_count };
    expect((await desk.refused(values))[0]).toBe(422);
    expect((await desk.get('wrong')).status).toBe(404);
  });

  it('give nobody a right that is to be removed, but is not named by its id', async () => {
    const made = await desk.protect({ name: 'removed', approval_rules: [{ access_level: 40 }] });
    const gone = [{ access_level: 30, _destroy: true }];
    for (const list of ['deploy_access_levels', 'approval_rules']) {
      const changed = await desk.change('removed', { [list]: gone });
      expect([list, changed.status]).toEqual([list, 422]);
    }
    expect((await desk.get('removed')).body).toEqual(made.body);
  });

  it('exist once, and only their own entries are changed', async () => {
    await desk.protect({ name: 'twice' });
    expect(await desk.protect({ name: 'twice' })).toMatchObject({
      status: 409,
      body: { message: `Protected environment 'twice' already exists` },
    });
    const { body } = await desk.protect({ name: 'other' });
    const foreign = { id: body.deploy_access_levels[0]?.id, _destroy: true };
    expect(await desk.change('twice', { deploy_access_levels: [foreign] })).toMatchObject({ status: 404 });
    const [mine] = (await desk.get('twice')).body.deploy_access_levels;
    const none = [{ id: mine?.id, _destroy: true }];
    expect(await desk.change('twice', { deploy_access_levels: none })).toMatchObject({
      status: 422,
      body: { message: tooShort },
    });
    expect((await desk.change('unknown', {})).status).toBe(404);
  });

  it('require as many approvals as before when a named user is removed', async () => {
    const gone = await createUser(api);
    await buildMember(api, `projects/${desk.ci.project.id}`, gone.id, 30);
    const made = await desk.protect({
      name: 'orphaned',
      approval_rules: [{ user_id: gone.id, required_approvals: 1 }],
    });
    expect(made.body.approval_rules).toMatchObject([{ user_id: gone.id }]);
    await api.sql('delete from users where id = $1', [gone.id]);
    const left = await desk.get('orphaned');
    expect(left.body.approval_rules).toMatchObject([{ user_id: null, access_level_description: 'Nobody' }]);
  });
});
