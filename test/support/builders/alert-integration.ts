import type { AlertIntegrationRecord } from '#features/alerts/integrations/alert-integration.record.js';
import type { ApiClient } from '../client.js';

/** Path of a project's integrations. */
export const integrationsPath = (projectId: number): string =>
  `/projects/${projectId}/alert_management/integrations`;

/** Makes an alert integration through the API; `http` unless said otherwise. */
export async function buildAlertIntegration(
  client: ApiClient,
  projectId: number,
  values: Readonly<Record<string, unknown>> = {},
): Promise<AlertIntegrationRecord & { readonly token: string; readonly url: string }> {
  const answer = await client.post<AlertIntegrationRecord>(integrationsPath(projectId), {
    name: 'Tool',
    ...values,
  });
  if (answer.status !== 201) throw new Error(`Integration not created: ${answer.status} ${answer.text}`);
  const { token, url } = answer.body;
  return { ...answer.body, token: token ?? '', url: url ?? '' };
}
