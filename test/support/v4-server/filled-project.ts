import type { TestApi } from '../api.js';
import { buildCodeProject, type CodeProject } from '../builders/code-project.js';
import { buildGroup, type BuiltGroup } from '../builders/group.js';
import { createUser, type CreatedUser } from '../builders/user.js';
import type { ApiClient } from '../client.js';

/** A group with a subgroup and a project that has some records of most kinds. */
export interface FilledProject {
  readonly group: BuiltGroup;
  readonly project: CodeProject;
  /** Author of the notes; an Owner of the group. */
  readonly ada: CreatedUser;
}

/** Fills them through the API, as users would. */
export async function fillProject(api: TestApi): Promise<FilledProject> {
  const ada = await createUser(api, { name: 'Ada Lovelace', skip_confirmation: true });
  const group = await buildGroup(api, { name: 'Work', visibility: 'private' }, ada.client);
  await buildGroup(api, { parent_id: group.id, name: 'Below', path: 'below' }, ada.client);
  const arrange = async (work: CodeProject['work']): Promise<void> => {
    await work.git('tag', 'v1');
    await work.git('checkout', '--quiet', '-b', 'feature');
    await work.commit({ 'b.txt': 'b\n' }, 'Feature');
    await work.git('checkout', '--quiet', 'main');
  };
  const project = await buildCodeProject(api, arrange, { namespace_id: group.id, path: 'app', name: 'app' });
  const { client } = ada;
  await made(client, `groups/${group.id}/labels`, { name: 'team', color: '#112233' });
  await made(client, `groups/${group.id}/milestones`, { title: 'Year' });
  await made(client, `groups/${group.id}/epics`, { title: 'Great', labels: 'team' });
  await talk(client, project);
  return { group, project, ada };
}

async function talk(client: ApiClient, { id, commits }: CodeProject): Promise<void> {
  const at = `projects/${id}`;
  await made(client, `${at}/labels`, { name: 'bug', color: '#ff0000', priority: 1 });
  const { id: milestone_id } = await made(client, `${at}/milestones`, {
    title: 'v1',
    due_date: '2030-01-01',
  });
  const issue = {
    title: 'It breaks\u2028twice',
    description: 'a\nb "c" \\ \u{1F600}',
    labels: 'bug,team',
    milestone_id,
  };
  await made(client, `${at}/issues`, issue);
  await made(client, `${at}/issues/1/notes`, { body: 'I see' });
  await made(client, `${at}/issues/1/award_emoji`, { name: 'thumbsup' });
  await made(client, `${at}/issues/1/add_spent_time?duration=1h`, {});
  await made(client, `${at}/issues`, { title: 'Quiet', confidential: true });
  const change = { source_branch: 'feature', target_branch: 'main', title: 'Feature', labels: 'bug' };
  await made(client, `${at}/merge_requests`, change);
  await made(client, `${at}/merge_requests/1/discussions`, { body: 'Why?' });
  await made(client, `${at}/merge_requests/1/approve`, {});
  const files = [{ file_path: 'run.sh', content: 'echo 1\n' }];
  await made(client, `${at}/snippets`, { title: 'Snip', visibility: 'private', files });
  await made(client, `${at}/statuses/${commits.at(-1)}`, { state: 'success', name: 'ci/x', ref: 'main' });
  await made(client, `${at}/protected_branches`, { name: 'release/*' });
  await made(client, `${at}/protected_tags`, { name: 'v*' });
  await made(client, `${at}/wikis`, { title: 'home', content: 'Welcome' });
}

async function made(client: ApiClient, path: string, body: object): Promise<{ id: number }> {
  const answer = await client.post<{ id: number }>(`/${path}`, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}
