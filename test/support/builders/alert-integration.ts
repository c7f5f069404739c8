import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import type { Values } from '#kernel/http/fields/derived-fields.js';
import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';

/** Path of a project's integrations. */
export const integrationsPath = (projectId: number): string =>
  `/projects/${projectId}/alert_management/integrations`;

/** An integration as tests see it: with URL and key. */
export type BuiltIntegration = Values<AlertIntegrationRecord> & {
  readonly token: string;
  readonly url: string;
};

/** Creates an alert integration through the API; `http` by default. */
export async function buildAlertIntegration(
  client: ApiClient,
  projectId: number,
  values: Readonly<Record<string, unknown>> = {},
): Promise<BuiltIntegration> {
  const answer = await client.post<BuiltIntegration>(integrationsPath(projectId), {
    name: 'Tool',
    ...values,
  });
  if (answer.status !== 201) throw new Error(`Integration not created: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Attributes for creating an external tool. */
export const EXTERNAL_TOOL = {
  type: 'external',
  name: 'Pager',
  external_url: 'https://pager.example.com/in',
} as const;

/** Facts about a stored integration for the tests. */
export interface StoredIntegration {
  readonly type: string;
  readonly active: boolean;
  readonly key_digest: Buffer | null;
  readonly key_sealed: string | null;
}

/** The stored integration of that id. */
export const storedIntegration = async (api: TestApi, id: number): Promise<StoredIntegration | undefined> =>
  (await api.sql<StoredIntegration>('select * from alert_integrations where id = $1', [id]))[0];
