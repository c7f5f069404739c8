import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readDocument } from '../../../support/api-document.js';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildProject } from '../../../support/builders/project.js';
import { MergeWorld } from '../../../support/merge-world.js';
import type { Answer } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

type Method = 'get' | 'post' | 'put';

describe('refusals in the API document', () => {
  let api: TestApi;
  let paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  beforeAll(async () => {
    api = await borrowApi();
    ({ paths } = await readDocument<{ paths: typeof paths }>(api.anonymous));
  });
  afterAll(() => api.close());

  /** The service refuses with the status, and the document says that the route may. */
  const expectRefusal = async (
    status: number,
    method: Method,
    template: string,
    answer: Promise<Answer>,
  ): Promise<void> => {
    expect([template, (await answer).status]).toEqual([template, status]);
    const documented = Object.keys(paths[`/api/v4${template}`]?.[method]?.responses ?? {});
    expect([method, template, documented]).toEqual([method, template, expect.arrayContaining([`${status}`])]);
  };

  it('has those of issues, labels and subscriptions', async () => {
    const { id } = await buildProject(api.root);
    const issues = `/projects/${id}/issues`;
    const add = async (values: object): Promise<{ iid: number }> =>
      (await api.root.post<{ iid: number }>(issues, { title: 'Slow', ...values })).body;
    const one = await add({ iid: 7 });
    const other = await add({});
    const link = { target_project_id: id, target_issue_iid: other.iid };
    await api.root.post(`${issues}/7/links`, link);
    await api.root.post(`/projects/${id}/labels`, { name: 'bug', color: 'red' });
    const at = '/projects/{id}/issues';
    await expectRefusal(409, 'post', at, api.root.post(issues, { title: 'Slow', iid: one.iid }));
    await expectRefusal(409, 'post', `${at}/{issue_iid}/links`, api.root.post(`${issues}/7/links`, link));
    await expectRefusal(
      422,
      'post',
      `${at}/{issue_iid}/links`,
      api.root.post(`${issues}/7/links`, { ...link, target_issue_iid: 7 }),
    );
    await expectRefusal(304, 'post', `${at}/{issue_iid}/subscribe`, api.root.post(`${issues}/7/subscribe`));
    await expectRefusal(405, 'get', at, api.root.get(`${issues}?page=5000&per_page=100`));
    await expectRefusal(
      409,
      'post',
      '/projects/{id}/labels',
      api.root.post(`/projects/${id}/labels`, { name: 'bug', color: 'red' }),
    );
    await expectRefusal(
      304,
      'post',
      '/projects/{id}/labels/{label_id}/unsubscribe',
      api.root.post(`/projects/${id}/labels/bug/unsubscribe`),
    );
  });

  it('has those of merge requests', async () => {
    const world = await MergeWorld.build(api);
    const at = '/projects/{id}/merge_requests';
    const base = `${world.base}/merge_requests`;
    const { iid } = await world.open('one');
    const again = { title: 'Again', source_branch: 'one', target_branch: 'main' };
    await expectRefusal(409, 'post', at, world.dev.post(base, again));
    await expectRefusal(422, 'post', at, world.dev.post(base, { ...again, source_branch: 'main' }));
    const mine = `${at}/{merge_request_iid}`;
    await expectRefusal(422, 'put', mine, world.dev.put(`${base}/${iid}`, { target_branch: 'one' }));
    await expectRefusal(
      409,
      'put',
      `${mine}/merge`,
      world.code.maintainer.put(`${base}/${iid}/merge`, { sha: '0'.repeat(40) }),
    );
    const cancel = `${base}/${iid}/cancel_merge_when_pipeline_succeeds`;
    await expectRefusal(406, 'post', `${mine}/cancel_merge_when_pipeline_succeeds`, world.dev.post(cancel));
    expect((await world.dev.put(`${base}/${iid}`, { state_event: 'close' })).status).toBe(200);
    await expectRefusal(405, 'put', `${mine}/merge`, world.code.maintainer.put(`${base}/${iid}/merge`));
    await expectRefusal(405, 'put', `${mine}/rebase`, world.dev.put(`${base}/${iid}/rebase`));
  });

  it('has those of epics', async () => {
    const group = await buildGroup(api);
    const { id: project } = await buildProject(api.root, { namespace_id: group.id });
    const issue = (
      await api.root.post<{ id: number; iid: number }>(`/projects/${project}/issues`, { title: 'Slow' })
    ).body;
    const at = '/groups/{id}/epics';
    const epics = `/groups/${group.id}/epics`;
    const add = async (values: object = {}): Promise<{ id: number; iid: number }> =>
      (await api.root.post<{ id: number; iid: number }>(epics, { title: 'Faster', ...values })).body;
    const [epic, secret] = [await add(), await add({ confidential: true })];
    const child = await add({ parent_id: epic.id });
    expect((await api.root.post(`${epics}/${epic.iid}/issues/${issue.id}`)).status).toBe(201);
    await expectRefusal(
      409,
      'post',
      `${at}/{epic_iid}/issues/{issue_id}`,
      api.root.post(`${epics}/${epic.iid}/issues/${issue.id}`),
    );
    await expectRefusal(
      422,
      'post',
      `${at}/{epic_iid}/issues/{issue_id}`,
      api.root.post(`${epics}/${secret.iid}/issues/${issue.id}`),
    );
    await expectRefusal(
      422,
      'put',
      '/projects/{id}/issues/{issue_iid}',
      api.root.put(`/projects/${project}/issues/${issue.iid}`, { epic_id: secret.id }),
    );
    await expectRefusal(
      409,
      'post',
      `${at}/{epic_iid}/epics/{child_epic_id}`,
      api.root.post(`${epics}/${epic.iid}/epics/${child.id}`),
    );
    await expectRefusal(
      409,
      'put',
      `${at}/{epic_iid}`,
      api.root.put(`${epics}/${epic.iid}`, { parent_id: child.id }),
    );
  });
});
