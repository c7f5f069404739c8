import { actsAsAdminSql, didAsAdminSql } from '#core/users/admin.sql.js';

/**
 * SQL condition: `u`, the importing user, has administrator rights for the import `i`: if the import was
 * requested with them, and the user still has them.
 */
export const IMPORTS_AS_ADMIN = actsAsAdminSql(didAsAdminSql('i.as_admin', 'u'), 'u');
