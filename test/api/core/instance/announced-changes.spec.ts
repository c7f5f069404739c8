import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildCodeProject } from '../../../support/builders/code-project.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildApplication, buildPair } from '../../../support/builders/oauth.js';
import { createUser } from '../../../support/builders/user.js';
import type { Answer } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let project: string;
let group: string;
let request: string;
let epic: string;
let issueId: number;
let runner: number;
let job: number;
let bearer: Record<string, string>;
beforeAll(async () => {
  api = await borrowApi();
  const made = async (path: string, body: object): Promise<{ id: number; iid: number }> => {
    const answer = await api.root.post<{ id: number; iid: number }>(path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const { id: groupId } = await buildGroup(api);
  group = `/groups/${groupId}`;
  const branch = async (work: { git: (...args: string[]) => Promise<unknown> }): Promise<void> => {
    await work.git('branch', 'feature', 'main~1');
    await work.git('branch', 'target', 'main');
  };
  const { id } = await buildCodeProject(api, branch, { namespace_id: groupId });
  project = `/projects/${id}`;
  const { iid } = await made(`${project}/merge_requests`, {
    source_branch: 'target',
    target_branch: 'feature',
    title: 'm',
  });
  request = `${project}/merge_requests/${iid}`;
  epic = `${group}/epics/${(await made(`${group}/epics`, { title: 'e' })).iid}`;
  issueId = (await made(`${project}/issues`, { title: 'i' })).id;
  runner = (await made('/user/runners', { runner_type: 'project_type', project_id: id })).id;
  job = (await buildRunningJob(api, await buildPipeline(api, id))).job.id;
  const { access } = await buildPair(api, await buildApplication(api), 1, ['api']);
  bearer = { Authorization: `Bearer ${access}` };
});
afterAll(() => api.close());

const migration = (entity: object): object => ({
  configuration: { url: 'http://source.invalid', access_token: 'glpat-nobody' },
  entities: [{ source_type: 'group_entity', source_full_path: 'a', destination_namespace: '', ...entity }],
});

/** Every row of `api-v4.md` 9, with requests that use it. */
const ANNOUNCED: readonly (readonly [item: string, ...ask: (() => Promise<Answer>)[]])[] = [
  ['geo_nodes', () => api.root.get('/geo_nodes'), () => api.root.get('/geo_sites')],
  ['merged_by', () => api.root.get(request), () => api.root.get('/merge_requests')],
  [
    'merge_status',
    () => api.root.get(`${project}/merge_requests`),
    () => api.root.get(`${group}/merge_requests`),
  ],
  ['private_profile', () => api.root.put('/users/1', { private_profile: null })],
  ['changes', () => api.root.get(`${request}/changes`)],
  ['managed_licenses', () => api.root.get(`${project}/managed_licenses`)],
  ['approvers', () => api.root.get(`${project}/approvals`)],
  [
    'active',
    () => api.root.get('/runners'),
    () => api.root.get('/runners/all'),
    () => api.root.get(`/runners/${runner}`),
    () => api.root.put(`/runners/${runner}`, { description: 'r' }),
    () => api.root.get(`${project}/runners`),
    () => api.root.get(`${group}/runners`),
  ],
  ['status of runners', () => api.root.get('/runners?status=active')],
  ['ip_address, also within a job', () => api.root.get(`${project}/jobs/${job}`)],
  ['scopes, expires_in_seconds', () => api.anonymous.get('/oauth/token/info', bearer)],
  ['destination_name', () => api.root.post('/bulk_imports', migration({ destination_name: 'b' }))],
  [
    'assignee of epic issues',
    () => api.root.post(`${epic}/issues/${issueId}`),
    () => api.root.get(`${epic}/issues`),
  ],
];

describe('announced changes', () => {
  it.each(ANNOUNCED)('%s is marked', async (item, ...asked) => {
    for (const ask of asked) {
      const { status, headers } = await ask();
      expect([item, status === 404 || status >= 500]).toEqual([item, false]);
      expect([item, status, headers.get('deprecation')]).toEqual([
        item,
        status,
        expect.stringMatching(/^@\d+$/),
      ]);
      expect([item, Date.parse(headers.get('sunset') ?? '')]).toEqual([item, Date.UTC(2028, 4, 22)]);
    }
  });

  it('add no deprecation header to other responses', async () => {
    for (const answer of [
      await api.root.get(project),
      await api.root.get(`${request}/diffs`),
      await api.root.get(`${project}/issues`),
      await api.root.post('/bulk_imports', migration({ destination_slug: 'b' })),
    ])
      expect(answer.headers.get('deprecation')).toBeNull();
  });

  it('keep the Geo routes, which return an empty list to administrators', async () => {
    const { client } = await createUser(api);
    for (const path of ['/geo_nodes', '/geo_sites']) {
      expect((await api.root.get(path)).body).toEqual([]);
      expect((await client.get(path)).status).toBe(403);
      expect((await api.anonymous.get(path)).status).toBe(401);
    }
  });
});

describe('null for a boolean', () => {
  it('sets it to false', async () => {
    await api.root.put(project, { shared_runners_enabled: true, auto_devops_enabled: true });
    const changed = await api.root.put(project, { shared_runners_enabled: null, auto_devops_enabled: null });
    expect(changed.body).toMatchObject({ shared_runners_enabled: false, auto_devops_enabled: false });
    const muted = await api.root.put(group, { mentions_disabled: true });
    expect(muted.body['mentions_disabled']).toBe(true);
    expect((await api.root.put(group, { mentions_disabled: null })).body['mentions_disabled']).toBe(false);
    await api.root.put('/application/settings', { bulk_import_enabled: true });
    const settings = await api.root.put('/application/settings', { bulk_import_enabled: null });
    expect([settings.status, settings.body['bulk_import_enabled']]).toEqual([200, false]);
  });

  it('resets private_profile to its default', async () => {
    await api.root.put('/users/1', { private_profile: true });
    const { body } = await api.root.put('/users/1', { private_profile: null });
    expect(body['private_profile']).toBe(false);
  });

  it('is ignored if a form sends a blank', async () => {
    await api.root.put(project, { shared_runners_enabled: true });
    const kept = await api.root.put(project, { shared_runners_enabled: '', description: 'd' });
    expect(kept.body['shared_runners_enabled']).toBe(true);
  });
});
