/** Address of a project's repository with a token as password. */
export const basicUrl = (base: string, fullPath: string, token: string): string =>
  `${base.replace('://', `://oauth2:${token}@`)}/${fullPath}.git`;
