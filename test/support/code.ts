import { expect } from '@jest/globals';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { seedRepository, WorkingCopy } from './git.js';
import type { TestApi } from './api.js';
import type { Answer, ApiClient } from './client.js';

/** A project whose code a test reads and changes. */
export interface CodeProject {
  readonly id: number;
  readonly base: string;
  readonly work: WorkingCopy;
  /** Puts the content of the working copy into the project. */
  push(): Promise<void>;
}

/** Creates a project with an empty working copy for it. */
export async function codeProject(
  api: TestApi,
  name: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<CodeProject> {
  const made = await api.root.post<{ id: number }>('/projects', { name, ...values });
  expect(made.status).toBe(201);
  const { id } = made.body;
  const work = await new WorkingCopy().init();
  return {
    id,
    base: `/projects/${id}/repository`,
    work,
    push: async () => {
      await seedRepository(api, projectRepository(id), work);
    },
  };
}

/** A project with a plain file, an executable, a file in a folder, a link and a binary file; a user may change it. */
export async function sampleCode(api: TestApi, name: string, member: ApiClient): Promise<CodeProject> {
  const project = await codeProject(api, name);
  const { work, id } = project;
  const { body } = await member.get<{ id: number }>('/user');
  await api.root.post(`/projects/${id}/members`, { user_id: body.id, access_level: 40 });
  await work.commit(
    { 'a.txt': 'one\n', 'run.sh': 'true\n', 'docs/one.md': '1\n', 'bytes.bin': '\0\x01' },
    'First',
  );
  await work.git('update-index', '--chmod=+x', 'run.sh');
  const link = await work.git('hash-object', '-w', 'a.txt');
  await work.git('update-index', '--add', '--cacheinfo', `120000,${link},link`);
  await work.git('commit', '-q', '-m', 'Modes');
  await project.push();
  work.remove();
  return project;
}

/** A user with a token, and the given role in the project. */
export async function coder(
  api: TestApi,
  username: string,
  { id, role, scopes = ['api'] }: { id?: number; role?: number; scopes?: string[] } = {},
): Promise<ApiClient> {
  const user = await api.root.post<{ id: number }>('/users', {
    name: `Name of ${username}`,
    username,
    email: `${username}@example.com`,
    password: 'correct horse battery',
    skip_confirmation: true,
  });
  const token = await api.root.post<{ token: string }>(`/users/${user.body.id}/personal_access_tokens`, {
    name: 'test',
    scopes,
  });
  if (id !== undefined && role !== undefined)
    await api.root.post(`/projects/${id}/members`, { user_id: user.body.id, access_level: role });
  return api.as(token.body.token);
}

/** Status and message of a refusal. */
export const refusalOf = ({ status, body }: Answer): [number, unknown] => [
  status,
  (body as { message?: unknown; error?: unknown }).message ?? (body as { error?: unknown }).error,
];
