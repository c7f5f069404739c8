import { Role } from '#kernel/access/roles.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';
import { seedRepository, WorkingCopy } from '../git.js';
import { buildMember } from './member.js';
import { buildProject } from './project.js';
import { createUser } from './user.js';

/** A project with commits on `main`, its default branch, and a member of every role. */
export interface CodeProject {
  readonly id: number;
  readonly fullPath: string;
  /** Its working copy; push to `repositoryPath` to change the project without the service. */
  readonly work: WorkingCopy;
  readonly repositoryPath: string;
  /** Commits of `main`, oldest first. */
  readonly commits: readonly string[];
  readonly maintainer: ApiClient;
  readonly developer: ApiClient;
  readonly developerId: number;
  readonly reporter: ApiClient;
  readonly guest: ApiClient;
}

/** Builds a project; `arrange` may add branches and tags before everything is pushed to it. */
export async function buildCodeProject(
  api: TestApi,
  arrange: (work: WorkingCopy) => Promise<unknown> = () => Promise.resolve(),
  attributes: Readonly<Record<string, unknown>> = {},
): Promise<CodeProject> {
  const project = await buildProject(api.root, attributes);
  const member = async (role: Role): Promise<{ id: number; client: ApiClient }> => {
    const user = await createUser(api);
    await buildMember(api, `projects/${project.id}`, user.id, role);
    return user;
  };
  begun ??= begin();
  const { work: first, commits } = await begun;
  const work = new WorkingCopy().copyOf(first);
  await arrange(work);
  const repository = await seedRepository(api, projectRepository(project.id), work);
  await api.sql(`update projects set default_branch = 'main' where id = $1`, [project.id]);
  const developer = await member(Role.Developer);
  return {
    id: project.id,
    fullPath: project.path_with_namespace,
    work,
    repositoryPath: repository.path,
    commits,
    maintainer: (await member(Role.Maintainer)).client,
    developer: developer.client,
    developerId: developer.id,
    reporter: (await member(Role.Reporter)).client,
    guest: (await member(Role.Guest)).client,
  };
}

/** What every project begins with: made once in a worker, and removed with the run. */
let begun: ReturnType<typeof begin> | undefined;

async function begin(): Promise<{ work: WorkingCopy; commits: readonly string[] }> {
  const work = await new WorkingCopy().init();
  const commits = [
    await work.commit({ 'README.md': '# One\n' }, 'First', '2020-01-01T10:00:00Z'),
    await work.commit({ 'a.txt': 'a\n' }, 'Second\n\nmore', '2021-01-01T10:00:00Z'),
  ];
  return { work, commits };
}
