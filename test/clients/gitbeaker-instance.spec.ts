import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

const LICENSE = {
  plan: 'premium',
  licensee: { Name: 'Mona Lisa', Company: 'Crew', Email: 'mona@crew.test' },
  starts_at: '2026-01-01',
  expires_at: '2099-01-01',
  user_limit: 10,
};

describe('the instance through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
  });
  afterAll(() => world.close());

  it('returns its version', async () => {
    expect(await jane.api.Metadata.show()).toMatchObject({ version: '16.5.0', revision: expect.any(String) });
    expect((await world.plain.get('/version')).body).toMatchObject({ version: '16.5.0' });
  });

  it('shows and edits settings, which take effect immediately', async () => {
    const { ApplicationSettings } = world.root;
    const before = await ApplicationSettings.show();
    expect(before).toMatchObject({
      default_project_visibility: 'private',
      signup_enabled: expect.any(Boolean),
    });
    const edited = await ApplicationSettings.edit({ defaultProjectVisibility: 'internal' });
    expect(edited).toMatchObject({ default_project_visibility: 'internal' });
    expect(await world.root.Projects.create({ name: 'By default' })).toMatchObject({
      visibility: 'internal',
    });
    expect((await refusal(jane.api.ApplicationSettings.show()))[0]).toBe(403);
    const [status, text] = await refusal(ApplicationSettings.edit({ defaultProjectVisibility: 'x' }));
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { default_project_visibility: ['does not have a valid value'] },
    ]);
  });

  it('shows limits and counts', async () => {
    const { ApplicationPlanLimits, ApplicationStatistics } = world.root;
    expect(await ApplicationPlanLimits.show()).toMatchObject({ ci_registered_group_runners: 1000 });
    expect(await ApplicationPlanLimits.edit('default', { ciRegisteredGroupRunners: 7 })).toMatchObject({
      ci_registered_group_runners: 7,
    });
    expect(await ApplicationStatistics.show()).toHaveProperty('users');
  });

  it('adds, shows and removes licenses', async () => {
    const { License } = world.root;
    const added = await License.add(Buffer.from(JSON.stringify(LICENSE)).toString('base64'));
    expect(added).toMatchObject({ plan: 'premium', licensee: { Name: 'Mona Lisa' }, user_limit: 10 });
    expect(await License.show()).toMatchObject({ id: added.id, expired: false });
    expect(await License.all()).toMatchObject([{ id: added.id }]);
    expect(await License.recalculateBillableUsers(added.id)).toEqual({ success: true });
    expect(await refusal(License.add('nonsense'))).toEqual([400, expect.any(String)]);
    await License.remove(added.id);
    expect(await License.all()).toEqual([]);
  });

  it('lists audit events of instance, group and project', async () => {
    const { AuditEvents, Groups, Projects } = world.root;
    const group = await Groups.create('Audited', 'audited');
    const project = await Projects.create({ name: 'Audited', namespaceId: group.id });
    await world.root.ProjectMembers.add(project.id, AccessLevel.DEVELOPER, { userId: jane.id });
    const [event] = await AuditEvents.all({ projectId: project.id });
    expect(event).toMatchObject({ entity_type: 'Project', entity_id: project.id, author_id: 1 });
    expect(await AuditEvents.show(event?.id ?? 0, { projectId: project.id })).toEqual(event);
    expect(
      await AuditEvents.all({ entityType: 'Project', entityId: project.id, maxPages: 1 }),
    ).toContainEqual(event);
    await Groups.edit(group.id, { visibility: 'public' });
    expect(await AuditEvents.all({ groupId: group.id })).toMatchObject([{ details: { to: 'public' } }, {}]);
    expect((await refusal(jane.api.AuditEvents.all()))[0]).toBe(403);
  });

  // The client knows the flags of projects only: those of the instance have no method.
  it('sets, lists and removes feature flags', async () => {
    const { plain } = world;
    const set = await plain.post('/features/shop_window', { value: 'true', user: 'jane', force: true });
    expect([set.status, set.body]).toMatchObject([201, { name: 'shop_window', state: 'conditional' }]);
    expect((await plain.get<{ name: string }[]>('/features')).body.map(({ name }) => name)).toEqual([
      'shop_window',
    ]);
    expect((await plain.delete('/features/shop_window')).status).toBe(204);
    expect((await plain.get('/features')).body).toEqual([]);
  });
});
