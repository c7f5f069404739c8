import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

let world: ClientWorld;
let jane: ClientUser;
beforeAll(async () => {
  world = await startClientWorld();
  jane = await world.user('jane');
});
afterAll(async () => {
  await world.close();
});

describe('notification settings through gitbeaker', () => {
  it('reads and changes the global settings', async () => {
    const settings = jane.api.NotificationSettings;
    expect(await settings.show()).toEqual({ level: 'participating', notification_email: 'jane@example.com' });
    expect(await settings.edit({ level: 'watch', notificationEmail: 'jane@example.com' })).toMatchObject({
      level: 'watch',
    });
    const [status] = await refusal(settings.edit({ notificationEmail: 'other@example.com' }));
    expect([status, (await settings.show()).level]).toEqual([400, 'watch']);
  });

  it('reads and changes the settings of groups and projects', async () => {
    const group = await world.root.Groups.create('Forge', 'forge', { visibility: 'public' });
    const project = await world.root.Projects.create({
      name: 'anvil',
      namespaceId: group.id,
      visibility: 'public',
    });
    const settings = jane.api.NotificationSettings;
    const changed = await settings.edit({ projectId: project.id, level: 'custom', newNote: true });
    expect(changed).toMatchObject({ level: 'custom', events: { new_note: true, new_issue: false } });
    expect(await settings.show({ projectId: project.id })).toEqual(changed);
    await settings.edit({ groupId: group.id, level: 'mention' });
    expect(await settings.show({ groupId: group.id })).toEqual({ level: 'mention' });
  });
});
