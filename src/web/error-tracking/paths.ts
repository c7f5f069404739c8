/** Where the errors of a project are shown. */
export const errorsPath = (projectId: number): string => `/-/projects/${projectId}/error_tracking`;

/** Where one of them is. */
export const errorPath = (projectId: number, errorId: number): string =>
  `${errorsPath(projectId)}/errors/${errorId}`;

/** Where Maintainers switch error tracking on, and make keys. */
export const settingsPath = (projectId: number): string => `${errorsPath(projectId)}/settings`;
