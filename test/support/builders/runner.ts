import { expect } from '@jest/globals';
import type { TestApi } from '../api.js';
import type { Answer } from '../client.js';

/** A runner that has registered. */
export interface BuiltRunner {
  readonly id: number;
  readonly token: string;
}

/** Parts of a job payload for the tests; the rest is accessed by key. */
export interface Payload {
  readonly id: number;
  readonly token: string;
  readonly [key: string]: unknown;
}

/** Registers a runner by the token of the project, of its group, or of the instance. */
export async function registerRunner(
  api: TestApi,
  place: { readonly project: number } | { readonly group: number } | 'instance',
  values: Readonly<Record<string, unknown>> = {},
): Promise<BuiltRunner> {
  const registration = await registrationToken(api, place);
  const answer = await api.anonymous.post<BuiltRunner>('/runners', { token: registration, ...values });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

/** The registration token of a project, a group or the instance. */
export async function registrationToken(
  api: TestApi,
  place: { readonly project: number } | { readonly group: number } | 'instance',
): Promise<string> {
  if (place === 'instance') {
    const { body } = await api.root.get<{ runners_registration_token: string }>('/application/settings');
    return body.runners_registration_token;
  }
  const path = 'project' in place ? `/projects/${place.project}` : `/groups/${place.group}`;
  const { body } = await api.root.get<{ runners_token: string }>(path);
  return body.runners_token;
}

/** Requests a job. */
export const requestJob = (
  api: TestApi,
  runner: BuiltRunner,
  values: Readonly<Record<string, unknown>> = {},
): Promise<Answer<Payload>> =>
  api.anonymous.post<Payload>('/jobs/request', { token: runner.token, ...values });

/** Sends a part of a trace. */
export const patchTrace = (
  api: TestApi,
  job: { readonly id: number; readonly token: string },
  range: string | null,
  body: string,
  query = '',
): Promise<Answer> =>
  api.anonymous.send('PATCH', `/jobs/${job.id}/trace${query}`, body, {
    'JOB-TOKEN': job.token,
    'Content-Type': 'text/plain',
    ...(range === null ? {} : { 'Content-Range': range }),
  });
