/** Address of the page of an alert. */
export const alertUrl = (base: string, fullPath: string, iid: number): string =>
  `${base}/${fullPath}/-/alert_management/${iid}/details`;
