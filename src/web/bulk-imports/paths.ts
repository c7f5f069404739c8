/** Where people see their migrations. */
export const MIGRATIONS_PATH = '/-/bulk_imports';

/** One group or project of a migration. */
export const entityPath = (importId: number, entityId: number): string =>
  `${MIGRATIONS_PATH}/${importId}/entities/${entityId}`;
