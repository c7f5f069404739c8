/** Where the integrations of a project are. */
export const integrationsPath = (projectId: number): string => `/-/projects/${projectId}/alert_integrations`;

/** Where one of them is. */
export const integrationPath = (projectId: number, id: number): string =>
  `${integrationsPath(projectId)}/${id}`;
