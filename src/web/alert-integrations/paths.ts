/** Path of a project's integrations. */
export const integrationsPath = (projectId: number): string => `/-/projects/${projectId}/alert_integrations`;

/** Path of an integration. */
export const integrationPath = (projectId: number, id: number): string =>
  `${integrationsPath(projectId)}/${id}`;
