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
  /** Gives the project what the working copy has now. */
  push(): Promise<void>;
}

/** Makes a project with an empty working copy beside it. */
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

/** A user with a token, and a role in the project where one is given. */
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
