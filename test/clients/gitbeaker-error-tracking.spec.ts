import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('error tracking through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let project: { id: number };
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    project = await world.root.Projects.create({ name: 'Web' });
    await world.root.ProjectMembers.add(project.id, AccessLevel.MAINTAINER, { userId: jane.id });
  });
  afterAll(() => world.close());

  it('creates, shows and edits settings', async () => {
    const { ErrorTrackingSettings } = jane.api;
    expect(await refusal(ErrorTrackingSettings.show(project.id))).toEqual([
      404,
      '404 Error Tracking Setting Not Found',
    ]);
    const expected = { project_name: null, sentry_external_url: null, api_url: null };
    const made = await ErrorTrackingSettings.create(project.id, true, true);
    expect(made).toMatchObject({ ...expected, active: true, integrated: true });
    expect(await ErrorTrackingSettings.edit(project.id, false)).toMatchObject({
      active: false,
      integrated: true,
    });
    const edited = await ErrorTrackingSettings.edit(project.id, true, { integrated: false });
    expect(edited).toMatchObject({ ...expected, active: true, integrated: false });
    expect(await ErrorTrackingSettings.show(project.id)).toEqual(edited);
  });

  it('creates, lists and removes keys', async () => {
    const { ErrorTrackingClientKeys } = jane.api;
    for (const key of await ErrorTrackingClientKeys.all(project.id))
      await ErrorTrackingClientKeys.remove(project.id, { keyId: key.id } as object);
    const made = await ErrorTrackingClientKeys.create(project.id);
    const host = world.product.url.replace('http://', '');
    expect(made).toMatchObject({ active: true, public_key: expect.stringMatching(/^glet_[0-9a-f]{32}$/) });
    expect(made.sentry_dsn).toBe(
      `http://${made.public_key}@${host}/api/v4/error_tracking/collector/${project.id}`,
    );
    expect(await ErrorTrackingClientKeys.all(project.id)).toEqual([made]);
    await ErrorTrackingClientKeys.remove(project.id, { keyId: made.id } as object);
    expect(await ErrorTrackingClientKeys.all(project.id)).toEqual([]);
    expect(await refusal(ErrorTrackingClientKeys.remove(project.id, { keyId: made.id } as object))).toEqual([
      404,
      '404 Client Key Not Found',
    ]);
  });
});
