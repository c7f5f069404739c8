import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('freeze periods and packages through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let project: { id: number };
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    project = await world.root.Projects.create({ name: 'Web' });
    await world.root.ProjectMembers.add(project.id, AccessLevel.DEVELOPER, { userId: jane.id });
  });
  afterAll(() => world.close());

  it('creates, lists, shows, edits and removes freeze periods', async () => {
    const { FreezePeriods } = world.root;
    const created = await FreezePeriods.create(project.id, '0 23 * * 5', '0 8 * * 1', {
      cronTimezone: 'Europe/Berlin',
    });
    expect(created).toMatchObject({
      freeze_start: '0 23 * * 5',
      freeze_end: '0 8 * * 1',
      cron_timezone: 'Europe/Berlin',
    });
    expect(await jane.api.FreezePeriods.all(project.id)).toEqual([created]);
    expect(await jane.api.FreezePeriods.show(project.id, created.id)).toEqual(created);
    const edited = await FreezePeriods.edit(project.id, created.id, { cronTimezone: 'UTC' });
    expect(edited).toMatchObject({ id: created.id, cron_timezone: 'UTC', freeze_start: '0 23 * * 5' });
    expect(await refusal(FreezePeriods.edit(project.id, created.id, { freezeEnd: 'soon' }))).toEqual([
      400,
      expect.stringContaining('is invalid syntax'),
    ]);
    expect(await refusal(jane.api.FreezePeriods.remove(project.id, created.id))).toEqual([
      403,
      '403 Forbidden',
    ]);
    await FreezePeriods.remove(project.id, created.id);
    expect(await FreezePeriods.all(project.id)).toEqual([]);
  });

  it('publishes, downloads, lists and removes packages', async () => {
    const { PackageRegistry, Packages } = jane.api;
    const content = new Blob(['hello world']);
    const published = await PackageRegistry.publish(project.id, 'tool', '1.0.0', {
      content,
      filename: 'tool.bin',
    });
    expect(published).toEqual({ message: '201 Created' });
    const downloaded = await PackageRegistry.download(project.id, 'tool', '1.0.0', 'tool.bin');
    expect(await (downloaded as unknown as Blob).text()).toBe('hello world');
    const [found, ...others] = await Packages.all({ projectId: project.id });
    expect([found, others]).toMatchObject([{ name: 'tool', version: '1.0.0', package_type: 'generic' }, []]);
    const id = found?.id ?? 0;
    expect(await Packages.show(project.id, id)).toMatchObject({ id, name: 'tool', versions: [] });
    const [file] = await Packages.allFiles(project.id, id);
    expect(file).toMatchObject({ file_name: 'tool.bin', size: 11 });
    await world.root.Packages.removeFile(project.id, id, file?.id ?? 0);
    await world.root.Packages.remove(project.id, id);
    expect(await refusal(Packages.show(project.id, id))).toEqual([404, '404 Package Not Found']);
  });
});
