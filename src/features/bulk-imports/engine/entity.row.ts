import { isActiveSql } from '#core/users/active.sql.js';
import type { Entity } from '../bulk-import.js';
import { IMPORTS_AS_ADMIN } from './importer.sql.js';

/** Row of an entity with facts of its import, by `ENTITIES`. */
export interface EntityRow extends Entity {
  readonly importStatus: Entity['status'];
  readonly tokenSealed: string | null;
  readonly importerIsActive: boolean;
}

/**
 * SQL for entities as rows; callers add conditions on `e` (the entity), `i` (its import) and `u` (the
 * importing user).
 */
export const ENTITIES = `select e.id, e.bulk_import_id as "importId", e.parent_id as "parentId",
    case e.source_type when 'group_entity' then 'group' else 'project' end as "of", e.source_full_path as "sourceFullPath",
    e.source_id as "sourceId", e.destination_slug as "destinationSlug", e.destination_namespace as "destinationNamespace",
    e.namespace_id as "namespaceId", e.project_id as "projectId", e.status, e.migrate_projects as "migrateProjects",
    e.migrate_memberships as "migrateMemberships", i.user_id as "importerId", ${IMPORTS_AS_ADMIN} as "importsAsAdmin", i.source_url as "sourceUrl",
    i.status as "importStatus", i.source_token_sealed as "tokenSealed", (${isActiveSql('u')}) as "importerIsActive"
  from bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id join users u on u.id = i.user_id`;
