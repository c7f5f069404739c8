import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { MergeRequestFollowingService } from '#core/merge-requests/code/following/merge-request-following.service.js';
import { MergeRequestChanged } from '#core/merge-requests/merge-request-changed.event.js';
import { git, gitText } from '#core/repositories/git/git.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { MergeWorld, type ShownMergeRequest } from '../../../support/merge-world.js';

let api: TestApi;
let world: MergeWorld;
let heard: string[];
beforeAll(async () => {
  api = await startApi();
  world = await MergeWorld.build(api);
  const events = api.app.get(DomainEvents, { strict: false });
  events.on(MergeRequestChanged, ({ change, mergeRequest: { iid } }) => void heard.push(`${change} ${iid}`));
  events.on(ActivityHappened, ({ action, target }) => void heard.push(`${action} ${target?.iid ?? ''}`));
});
afterAll(() => api.close());
beforeEach(() => {
  heard = [];
});

const refOf = async (projectId: number, iid: number): Promise<string> => {
  const { path } = await api.app
    .get(RepositoriesService, { strict: false })
    .open(projectRepository(projectId));
  return gitText(path, ['rev-parse', `refs/merge-requests/${iid}/head`]);
};
const versions = async (iid: number): Promise<{ id: number; head_commit_sha: string }[]> =>
  (
    await world.dev.get<{ id: number; head_commit_sha: string }[]>(
      `${world.base}/merge_requests/${iid}/versions`,
    )
  ).body;

describe('the head of a merge request', () => {
  it('follows pushes to its branch, with a version for each', async () => {
    const opened = await world.open('follow');
    expect(opened.diff_refs).toEqual({
      base_sha: world.code.commits[1],
      start_sha: world.code.commits[1],
      head_sha: opened.sha,
    });
    expect([opened.changes_count, await refOf(world.code.id, opened.iid)]).toEqual(['1', opened.sha]);
    const pushed = await world.commit('follow', { 'more.txt': 'more\n' });
    const now = await world.when(opened.iid, ({ sha }) => sha === pushed);
    expect([now.changes_count, now.merge_status]).toEqual(['2', 'can_be_merged']);
    expect(await refOf(world.code.id, opened.iid)).toBe(pushed);
    expect((await versions(opened.iid)).map((one) => one.head_commit_sha)).toEqual([pushed, opened.sha]);
    expect(heard).toEqual(expect.arrayContaining([`head ${opened.iid}`, `code_pushed ${opened.iid}`]));
    const notes = `select body from notes where noteable_id = $1 and noteable_type = 'MergeRequest' and system`;
    expect(await api.sql(notes, [opened.id])).toEqual([{ body: 'added 1 commit' }]);
  });

  it('shows conflicts caused by the target, until they are resolved', async () => {
    const opened = await world.open('clash', { 'shared.txt': 'theirs\n' });
    await world.commit('main', { 'shared.txt': 'ours\n' });
    const broken = await world.when(opened.iid, ({ has_conflicts: has }) => has);
    expect([broken.merge_status, broken.detailed_merge_status]).toEqual([
      'cannot_be_merged',
      'broken_status',
    ]);
    expect(heard).toEqual(expect.arrayContaining([`base ${opened.iid}`, `became_unmergeable ${opened.iid}`]));
    expect(await versions(opened.iid)).toHaveLength(1);
    await world.commit('main', { '+shared.txt': 'theirs\n' });
    expect((await world.when(opened.iid, ({ has_conflicts: has }) => !has)).merge_status).toBe(
      'can_be_merged',
    );
  });

  it('is merged when its commits are pushed to the target', async () => {
    const opened = await world.open('pushed');
    const { path } = await api.app
      .get(RepositoriesService, { strict: false })
      .open(projectRepository(world.code.id));
    const before = (await world.commitOf('main')).id;
    const tree = await gitText(path, ['merge-tree', '--write-tree', before, opened.sha]);
    await git(path, ['update-ref', 'refs/heads/staging', before]);
    const env = {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    const args = ['commit-tree', tree, '-p', before, '-p', opened.sha, '-m', 'By hand'];
    const merge = await gitText(path, args, { env });
    const answer = await world.dev.post(`${world.base}/repository/commits`, {
      branch: 'main',
      start_sha: merge,
      force: true,
      commit_message: 'On top',
      actions: [{ action: 'create', file_path: 'top.txt', content: 'top' }],
    });
    expect(answer.status).toBe(201);
    const merged = await world.when(opened.iid, ({ state }) => state === 'merged');
    expect([merged.merge_user?.id, merged.diff_refs.head_sha, merged.changes_count]).toEqual([
      world.code.developerId,
      opened.sha,
      '1',
    ]);
    expect(heard).toEqual(expect.arrayContaining([`merged ${opened.iid}`]));
  });

  it('is closed with its source branch, and reopened when the branch is created again', async () => {
    const opened = await world.open('gone');
    const path = `${world.base}/merge_requests/${opened.iid}`;
    expect((await world.code.maintainer.delete(`${world.base}/repository/branches/gone`)).status).toBe(204);
    const now = await world.when(opened.iid, ({ state }) => state === 'closed');
    const { body: me } = await world.code.maintainer.get<{ id: number }>('/user');
    expect([now.merge_status, now.sha, await refOf(world.code.id, opened.iid)]).toEqual([
      'cannot_be_merged',
      opened.sha,
      opened.sha,
    ]);
    expect((await world.dev.get(path)).body).toMatchObject({ closed_by: { id: me.id } });
    expect((await world.merge(opened.iid)).status).toBe(405);
    expect((await world.dev.put(path, { state_event: 'reopen' })).status).toBe(422);
    const again = { branch: 'gone', ref: opened.sha };
    expect((await world.dev.post(`${world.base}/repository/branches`, again)).status).toBe(201);
    expect((await world.dev.put(path, { state_event: 'reopen' })).status).toBe(200);
    await world.when(opened.iid, ({ merge_status: status }) => status === 'can_be_merged');
  });

  it('stays open without its target branch', async () => {
    const branch = { branch: 'target', ref: 'main' };
    expect((await world.dev.post(`${world.base}/repository/branches`, branch)).status).toBe(201);
    const opened = await world.open('homeless', undefined, { target_branch: 'target' });
    expect((await world.dev.delete(`${world.base}/repository/branches/target`)).status).toBe(204);
    const now = await world.when(opened.iid, ({ merge_status: status }) => status === 'cannot_be_merged');
    expect(now.state).toBe('opened');
    expect((await world.merge(opened.iid)).status).toBe(422);
  });

  it('is merged, not closed, if its branch is removed by the push that contains its commits', async () => {
    const opened = await world.open('at-once', { 'at-once.txt': '1' });
    const { work, repositoryPath } = world.code;
    await work.git('fetch', '--quiet', repositoryPath, 'at-once');
    await work.git('checkout', '--quiet', '--detach', opened.sha);
    await work.commit({ 'on-top.txt': '1' }, 'On top');
    await work.git('push', '--quiet', repositoryPath, 'HEAD:main', ':at-once');
    const following = api.app.get(MergeRequestFollowingService, { strict: false });
    await following.follow(opened.id, { userId: 1, head: '0'.repeat(40) });
    const now = await world.find(opened.iid);
    expect([now.state, now.diff_refs.head_sha, now.changes_count]).toEqual(['merged', opened.sha, '1']);
  });

  it('is checked again on request by lists, if it is unknown whether it can be merged', async () => {
    const opened = await world.open('unknown');
    const list = `${world.base}/merge_requests?source_branch=unknown`;
    const statuses = async (query: string): Promise<unknown[]> =>
      (await world.dev.get<ShownMergeRequest[]>(`${list}${query}`)).body.map((one) => one.merge_status);
    await api.sql(`update merge_requests set merge_status = 'cannot_be_merged_recheck' where id = $1`, [
      opened.id,
    ]);
    expect(await statuses('')).toEqual(['cannot_be_merged_recheck']);
    expect(await statuses('&with_merge_status_recheck=true')).toEqual(['cannot_be_merged_recheck']);
    await world.when(opened.iid, ({ merge_status: status }) => status === 'can_be_merged');
  });

  it('comes from a fork, and the target keeps its objects', async () => {
    const fork = await buildProject(api.root);
    await api.sql('update projects set forked_from_id = $2, default_branch = $3 where id = $1', [
      fork.id,
      world.code.id,
      'main',
    ]);
    await buildMember(api, `projects/${fork.id}`, world.code.developerId, 30);
    const work = await new WorkingCopy().init();
    await work.git('pull', '--quiet', world.code.repositoryPath, 'main');
    await work.git('checkout', '--quiet', '-b', 'fork-work');
    const head = await work.commit({ 'fork.txt': 'fork\n' });
    const { path } = await seedRepository(api, projectRepository(fork.id), work);
    const answer = await world.dev.post<ShownMergeRequest>(`/projects/${fork.id}/merge_requests`, {
      title: 'From a fork',
      source_branch: 'fork-work',
      target_branch: 'main',
      target_project_id: world.code.id,
    });
    expect([answer.status, answer.body.sha]).toEqual([201, head]);
    const { iid } = await world.checked(answer.body.iid);
    expect(await refOf(world.code.id, iid)).toBe(head);
    await git(path, ['update-ref', '-d', 'refs/heads/fork-work']);
    await api.sql('update merge_requests set source_project_id = null where project_id = $1 and iid = $2', [
      world.code.id,
      iid,
    ]);
    const diffs = await world.dev.get<{ new_path: string }[]>(`${world.base}/merge_requests/${iid}/diffs`);
    expect(diffs.body.map(({ new_path: name }) => name)).toEqual(['fork.txt']);
    work.remove();
  });
});

describe('rebasing', () => {
  it('puts the commits on top of the target, as fast-forward merges require', async () => {
    const project = await MergeWorld.build(api);
    await project.code.maintainer.put(project.base, { merge_method: 'ff' });
    const opened = await project.open('linear');
    await project.commit('main', { 'ahead.txt': '1' });
    const behind = await project.when(opened.iid, (one) => one.detailed_merge_status !== 'mergeable');
    expect(behind.detailed_merge_status).toBe('need_rebase');
    expect((await project.merge(opened.iid)).status).toBe(422);
    const path = `${project.base}/merge_requests/${opened.iid}/rebase`;
    expect((await project.code.reporter.put(path)).status).toBe(403);
    const asked = await project.dev.put(path);
    expect([asked.status, asked.body]).toEqual([202, { rebase_in_progress: true }]);
    const done = await project.when(
      opened.iid,
      (one) => one.sha !== opened.sha && one.rebase_in_progress === false,
    );
    expect((await project.commitOf(done.sha)).parent_ids).toEqual([(await project.commitOf('main')).id]);
    await project.when(opened.iid, (one) => one.detailed_merge_status === 'mergeable');
    const { body } = await project.merge(opened.iid);
    expect([body.state, body.merge_commit_sha, (await project.commitOf('main')).id]).toEqual([
      'merged',
      null,
      done.sha,
    ]);
  });

  it('puts commits there however large their messages are together, but not one that is too large alone', async () => {
    const project = await MergeWorld.build(api);
    const { work, repositoryPath } = project.code;
    const rebased = async (branch: string, count: number, size: number): Promise<ShownMergeRequest> => {
      const message = 'm'.repeat(size);
      const commits = Array.from({ length: count }, (_, at) => {
        const from = at === 0 ? 'from refs/heads/main^0\n' : '';
        const change = `M 100644 inline ${branch}.txt\ndata ${String(at).length}\n${at}\n`;
        return `commit refs/heads/${branch}\ncommitter A <a@b.c> ${at} +0000\ndata ${size}\n${message}\n${from}${change}`;
      });
      await work.pipe(['fast-import', '--quiet', '--force'], commits.join(''));
      await work.git('push', '--quiet', repositoryPath, branch);
      const wanted = { source_branch: branch, target_branch: 'main', title: branch };
      const made = await project.dev.post<ShownMergeRequest>(`${project.base}/merge_requests`, wanted);
      await project.commit('main', { [`before-${branch}`]: '1' });
      const path = `${project.base}/merge_requests/${made.body.iid}`;
      expect((await project.dev.put(`${path}/rebase`)).status).toBe(202);
      return project.when(made.body.iid, (one) => one.rebase_in_progress === false);
    };
    const done = await rebased('many', 34, 1024 * 1024);
    expect(done.merge_error).toBeNull();
    const onTop = await work.run(['--git-dir', repositoryPath, 'rev-list', '--count', 'main..many']);
    const behind = await work.run(['--git-dir', repositoryPath, 'rev-list', '--count', 'many..main']);
    expect([onTop.stdout.trim(), behind.stdout.trim()]).toEqual(['34', '0']);
    const refused = await rebased('one', 1, 33 * 1024 * 1024);
    expect(refused.merge_error).toBe('Rebase failed: the message of a commit is too large');
  });
});
