/** Returns the URL of the page of an alert (`AlertPagesController`). */
export const alertUrl = (base: string, projectId: number, iid: number): string =>
  `${base}/-/projects/${projectId}/alerts/${iid}`;
