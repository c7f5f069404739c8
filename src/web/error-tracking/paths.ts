/** Path of a project's errors. */
export const errorsPath = (projectId: number): string => `/-/projects/${projectId}/error_tracking`;

/** Path of an error. */
export const errorPath = (projectId: number, errorId: number): string =>
  `${errorsPath(projectId)}/errors/${errorId}`;

/** Path of the page on which Maintainers enable error tracking and create keys. */
export const settingsPath = (projectId: number): string => `${errorsPath(projectId)}/settings`;
