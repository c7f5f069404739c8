/** Path of the migration pages. */
export const MIGRATIONS_PATH = '/-/bulk_imports';

/** Path of a group or project of a migration. */
export const entityPath = (importId: number, entityId: number): string =>
  `${MIGRATIONS_PATH}/${importId}/entities/${entityId}`;
