import { actsAsAdminSql, didAsAdminSql } from '#core/users/admin.sql.js';

/** SQL condition: `u`, who migrates, has the rights of administrators for the import `i`: those that it was asked for with, as long as they have them. */
export const IMPORTS_AS_ADMIN = actsAsAdminSql(didAsAdminSql('i.as_admin', 'u'), 'u');
