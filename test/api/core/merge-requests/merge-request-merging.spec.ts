import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { MergeMergeRequest } from '#core/merge-requests/code/merging/merge-merge-request.use-case.js';
import { RecoverLockedProcessor } from '#core/merge-requests/code/merging/recovery/recover-locked.processor.js';
import type { TestApi } from '../../../support/api.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { refusalOf } from '../../../support/code.js';
import { untilBlocking, untilIdle } from '../../../support/lock-waits.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

let api: TestApi;
let world: MergeWorld;
beforeAll(async () => {
  api = await borrowApi();
  world = await MergeWorld.build(api);
});
afterAll(() => api.close());

const notesOf = async (id: number): Promise<string[]> =>
  (
    await api.sql<{ body: string }>(
      `select body from notes where noteable_type = 'MergeRequest' and noteable_id = $1 and system order by id`,
      [id],
    )
  ).map(({ body }) => body);

describe('merging', () => {
  it('creates a merge commit from the template, and removes the source branch', async () => {
    const opened = await world.open('one', undefined, { remove_source_branch: true });
    expect(opened).toMatchObject({ merge_status: 'can_be_merged', detailed_merge_status: 'mergeable' });
    const before = (await world.commitOf('main')).id;
    const { status, body } = await world.merge(opened.iid);
    expect([status, body.state, body.squash_commit_sha, body.merge_error]).toEqual([
      200,
      'merged',
      null,
      null,
    ]);
    expect(body.merge_user?.id).toBe(world.code.developerId);
    const head = await world.commitOf('main');
    expect(head).toMatchObject({ id: body.merge_commit_sha, parent_ids: [before, opened.sha] });
    expect(head.message).toBe(
      `Merge branch 'one' into 'main'\n\nBring one\n\nSee merge request ${world.code.fullPath}!${opened.iid}\n`,
    );
    await until(async () => !(await world.hasBranch('one')));
    // Its commit mentions it as well, for which a job writes a note.
    expect((await notesOf(opened.id))[0]).toBe('merged');
    expect(refusalOf(await world.merge(opened.iid))).toEqual([405, '405 Method Not Allowed']);
  });

  it('inserts texts into the template up to a limit', async () => {
    const setTemplate = (template: string | null): Promise<{ status: number }> =>
      world.code.maintainer.put(world.base, { merge_commit_template: template });
    expect((await setTemplate('%{description}'.repeat(30))).status).toBe(200);
    const opened = await world.open('long', undefined, { description: 'x'.repeat(400_000) });
    expect((await world.merge(opened.iid)).status).toBe(200);
    expect((await world.commitOf('main')).message).toBe(`${'x'.repeat(1_000_000)}\n`);
    expect((await setTemplate(null)).status).toBe(200);
  });

  it('squashes with the messages of the request', async () => {
    const opened = await world.open('two');
    await world.commit('two', { 'two-b.txt': 'b' });
    const before = (await world.commitOf('main')).id;
    const { body } = await world.merge(opened.iid, {
      squash: true,
      squash_commit_message: 'All of two',
      merge_commit_message: 'Two',
    });
    const squashed = await world.commitOf(body.squash_commit_sha ?? '');
    expect(squashed).toMatchObject({ parent_ids: [before], message: 'All of two' });
    expect(await world.commitOf('main')).toMatchObject({
      id: body.merge_commit_sha,
      parent_ids: [before, squashed.id],
      message: 'Two',
    });
    expect(body.sha).not.toBe(opened.sha);
  });

  it('is refused for conflicts, drafts, another head and unauthorized callers', async () => {
    const clash = await world.open('clash', { '+a.txt': 'theirs\n' });
    await world.commit('main', { '+a.txt': 'ours\n' });
    expect(refusalOf(await world.merge(clash.iid))).toEqual([422, 'Branch cannot be merged']);
    const after = await world.find(clash.iid);
    expect(after).toMatchObject({
      state: 'opened',
      has_conflicts: true,
      detailed_merge_status: 'broken_status',
    });

    const draft = await world.open('draft', undefined, { title: 'Draft: later' });
    expect(draft.detailed_merge_status).toBe('draft_status');
    expect(refusalOf(await world.merge(draft.iid))).toEqual([405, '405 Method Not Allowed']);

    const fine = await world.open('fine');
    expect(refusalOf(await world.merge(fine.iid, { sha: 'a'.repeat(40) }))).toEqual([
      409,
      `SHA does not match HEAD of source branch: ${fine.sha}`,
    ]);
    expect((await world.merge(fine.iid, {}, world.code.reporter)).status).toBe(403);
    await world.code.maintainer.post(`${world.base}/protected_branches`, {
      name: 'main',
      push_access_level: 0,
      merge_access_level: 40,
    });
    expect((await world.merge(fine.iid)).status).toBe(403);
    // No one may push there, but Maintainers may merge.
    const { status, body } = await world.merge(fine.iid, { sha: fine.sha }, world.code.maintainer);
    expect([status, body.state]).toEqual([200, 'merged']);
    expect((await world.code.maintainer.delete(`${world.base}/protected_branches/main`)).status).toBe(204);
    expect((await world.merge(9_999)).status).toBe(404);
  });

  it('succeeds for one of several requests for it, and for each of several merge requests', async () => {
    const opened = await world.open('race');
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.merge(opened.iid)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 405, 409].includes(status))).toBe(true);
    const several = await Promise.all(['r1', 'r2'].map((name) => world.open(name)));
    for (const { iid } of several) {
      await until(async () => (await world.merge(iid)).status !== 409);
      expect((await world.find(iid)).state).toBe('merged');
    }
  });

  it('is completed after a crash, depending on the target', async () => {
    const opened = await world.open('dead');
    const merged = (await world.commitOf('main')).id;
    const lock = `update merge_requests set state = 'locked', merge_user_id = 1, merge_commit_sha = $2,
      locked_at = now() - interval '10 minutes' where id = $1`;
    const recover = api.app.get(RecoverLockedProcessor, { strict: false });
    const context = { signal: new AbortController().signal } as Parameters<typeof recover.process>[1];
    await api.sql(lock, [opened.id, 'b'.repeat(40)]);
    await recover.process({}, context);
    expect(await world.find(opened.iid)).toMatchObject({ state: 'opened', merge_commit_sha: null });
    expect((await world.find(opened.iid)).merge_error).toMatch(/interrupted/);
    await api.sql(lock, [opened.id, merged]);
    await recover.process({}, context);
    expect(await world.find(opened.iid)).toMatchObject({ state: 'merged', merge_commit_sha: merged });
  });

  it('is refused while the repository is moved', async () => {
    const opened = await world.open('moving');
    await api.sql('update projects set repository_read_only = true where id = $1', [world.code.id]);
    const { status, body } = await world.merge(opened.iid);
    await api.sql('update projects set repository_read_only = false where id = $1', [world.code.id]);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('temporarily read-only')]);
    expect((await world.find(opened.iid)).state).toBe('opened');
    expect((await world.merge(opened.iid)).status).toBe(200);
  });
});

describe('merging into the default branch', () => {
  it('closes the issues that the description and the commits name', async () => {
    const issue = async (title: string): Promise<number> =>
      (await world.dev.post<{ iid: number }>(`${world.base}/issues`, { title })).body.iid;
    const stateOf = async (iid: number): Promise<string> =>
      (await world.dev.get<{ state: string }>(`${world.base}/issues/${iid}`)).body.state;
    const [first, second, third] = [await issue('one'), await issue('two'), await issue('three')];
    await world.commit('solve', { 'solve.txt': '1' }, `Solve\n\nFixes #${second}`);
    const opened = await world.open('solve', { 'solve-b.txt': '2' }, { description: `Closes #${first}` });
    expect((await world.merge(opened.iid)).status).toBe(200);
    await until(async () => (await stateOf(first)) === 'closed' && (await stateOf(second)) === 'closed');
    expect(await stateOf(third)).toBe('opened');
    expect((await world.commitOf('main')).message).toContain(`Closes #${first} and #${second}\n`);
  });

  it('closes no issues of archived projects, which are read-only', async () => {
    const [live, archived] = [await buildProject(api.root), await buildProject(api.root)];
    const issues: BuiltIssue[] = [];
    for (const { id } of [live, archived]) {
      await buildMember(api, `projects/${id}`, world.code.developerId, 30);
      issues.push(await buildIssue(world.dev, id));
    }
    await api.root.post(`/projects/${archived.id}/archive`);
    const named = [live, archived].map(({ path_with_namespace: path }) => `Closes ${path}#1`).join('. ');
    const opened = await world.open('elsewhere', undefined, { description: named });
    expect((await world.merge(opened.iid)).body.state).toBe('merged');
    const stateOf = async (id = 0): Promise<string | undefined> =>
      (await api.sql<{ state: string }>('select state from issues where id = $1', [id]))[0]?.state;
    await until(async () => (await stateOf(issues[0]?.id)) === 'closed');
    expect(await stateOf(issues[1]?.id)).toBe('opened');
  });
});

describe('merging with approvals', () => {
  it('is refused if one is revoked before the merge begins', async () => {
    const { maintainer } = world.code;
    const need = (count: number): Promise<unknown> =>
      maintainer.post(`${world.base}/approvals`, { approvals_before_merge: count });
    await need(1);
    const { id, iid } = await world.open('revoked');
    expect((await maintainer.post(`${world.base}/merge_requests/${iid}/approve`)).status).toBe(201);
    await untilIdle(api);
    const merge = await api.app.get(DataSource).transaction(async (tx) => {
      await tx.query('select 1 from merge_requests where id = $1 for update', [id]);
      const sent = world.merge(iid, {}, maintainer);
      await untilBlocking(api, tx);
      await tx.query('delete from merge_request_approvals where merge_request_id = $1', [id]);
      return { sent };
    });
    expect(refusalOf(await merge.sent)).toEqual([
      409,
      'The merge request was changed in the meantime. Try again.',
    ]);
    expect(await world.find(iid)).toMatchObject({ state: 'opened', detailed_merge_status: 'not_approved' });
    await need(0);
    expect((await world.merge(iid, {}, maintainer)).body.state).toBe('merged');
  });
});

describe('merging automatically', () => {
  it('waits for the pipeline, and can be canceled', async () => {
    const opened = await world.open('auto');
    const [pipeline] = await api.sql<{ id: number }>(
      `insert into ci_pipelines (project_id, iid, sha, ref, status, source, user_id)
       values ($1, 9001, $2, 'auto', 'running', 'push', 1) returning id`,
      [world.code.id, opened.sha],
    );
    const set = 'update merge_requests set head_pipeline_id = $2 where id = $1';
    await api.sql(set, [opened.id, pipeline?.id]);
    await world.code.maintainer.put(world.base, { only_allow_merge_if_pipeline_succeeds: true });
    expect((await world.find(opened.iid)).detailed_merge_status).toBe('ci_still_running');
    expect(refusalOf(await world.merge(opened.iid))).toEqual([405, '405 Method Not Allowed']);
    const wanted = await world.merge(opened.iid, { merge_when_pipeline_succeeds: true });
    expect([wanted.status, wanted.body.state, wanted.body.merge_when_pipeline_succeeds]).toEqual([
      200,
      'opened',
      true,
    ]);
    const cancel = `${world.base}/merge_requests/${opened.iid}/cancel_merge_when_pipeline_succeeds`;
    expect((await world.code.reporter.post(cancel)).status).toBe(403);
    expect((await world.dev.post(cancel)).status).toBe(201);
    expect((await world.dev.post(cancel)).status).toBe(406);
    const options = { squash: true, should_remove_source_branch: true };
    const again = await world.merge(opened.iid, { auto_merge: true, ...options });
    expect(again.body).toMatchObject({ ...options, state: 'opened', squash_on_merge: true });
    await api.sql(`update ci_pipelines set status = 'success' where id = $1`, [pipeline?.id]);
    await api.app.get(MergeMergeRequest, { strict: false }).mergeAutomatically(opened.id);
    // The job of the request may have come first, and still be running.
    await until(async () => (await world.find(opened.iid)).state === 'merged');
    const merged = await world.find(opened.iid);
    expect(merged.merge_user).toMatchObject({ id: world.code.developerId });
    expect(merged.squash_commit_sha).not.toBeNull();
    await world.code.maintainer.put(world.base, { only_allow_merge_if_pipeline_succeeds: false });
  });
});
