import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { gunzipSync } from 'node:zlib';
import { refusal, startClientWorld, type ClientWorld } from '../support/gitbeaker.js';
import { until } from '../support/until.js';

interface Status {
  readonly relation: string;
  readonly status: number;
}

let world: ClientWorld;
beforeAll(async () => {
  world = await startClientWorld();
});
afterAll(() => world.close());

const unpacked = async (file: unknown): Promise<unknown> =>
  JSON.parse(gunzipSync(Buffer.from(await (file as Blob).arrayBuffer())).toString());

it('exports a project through the client', async () => {
  const { Projects, ProjectRelationsExport: exports } = world.root;
  const project = await Projects.create({ name: 'Web', description: 'A site' });
  expect(await exports.scheduleExport(project.id)).toEqual({ message: '202 Accepted' });
  await until(async () => {
    const statuses = (await exports.showExportStatus(project.id)) as unknown as Status[];
    return statuses.length > 20 && statuses.every(({ status }) => status === 1);
  });
  const self = await unpacked(await exports.download(project.id, 'self'));
  expect(self).toMatchObject({ name: 'Web', description: 'A site' });
  expect(await refusal(exports.download(project.id, 'nothing'))).toEqual([400, expect.anything()]);
});

it('exports a group through the client, which requests status and files in its own way', async () => {
  const { Groups, GroupRelationExports: exports } = world.root;
  const group = await Groups.create('Team', 'team');
  expect(await exports.scheduleExport(group.id)).toEqual({ message: '202 Accepted' });
  await until(async () => {
    const statuses = (await exports.exportStatus(group.id)) as unknown as Status[];
    return statuses.length > 5 && statuses.every(({ status }) => status === 1);
  });
  expect(await unpacked(await exports.download(group.id, 'self'))).toMatchObject({
    name: 'Team',
    path: 'team',
  });
  const { api } = await world.user('stranger');
  expect(await refusal(api.GroupRelationExports.scheduleExport(group.id))).toEqual([404, expect.anything()]);
});
