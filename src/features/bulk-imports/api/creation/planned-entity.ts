import { invalid, missingAttribute } from '#kernel/http/errors.js';
import { SOURCE_TYPES } from '../../bulk-import.js';
import type { Portable } from '#core/exchange/relation-export.js';
import type { EntityToMigrate } from '../bulk-imports.params.js';

/** A requested entity. */
export interface PlannedEntity {
  readonly of: Portable;
  readonly sourceFullPath: string;
  readonly namespace: string;
  readonly slug: string;
  readonly migrateProjects: boolean;
  readonly migrateMemberships: boolean;
}

const EXCLUSIVE = 'is mutually exclusive with destination_name';

/** Returns the entities in parameters. @throws 400 if none or both of the names of a slug are given */
export function plannedEntities(entities: readonly EntityToMigrate[]): PlannedEntity[] {
  if (entities.length === 0) throw invalid({ entities: ['is empty'] });
  return entities.map((entity, index) => {
    const { destination_slug: slug, destination_name: name } = entity;
    if (slug !== undefined && name !== undefined)
      throw invalid({ [`entities[${index}]`]: { destination_slug: [EXCLUSIVE] } });
    const given = slug ?? name;
    if (given === undefined) throw missingAttribute(`entities[${index}][destination_slug]`);
    return {
      of: entity.source_type === SOURCE_TYPES.group ? 'group' : 'project',
      sourceFullPath: entity.source_full_path,
      namespace: entity.destination_namespace,
      slug: given,
      migrateProjects: entity.migrate_projects ?? true,
      migrateMemberships: entity.migrate_memberships ?? true,
    };
  });
}

/** Returns the full path of the destination. */
export const destinationOf = ({ namespace, slug }: Pick<PlannedEntity, 'namespace' | 'slug'>): string =>
  namespace === '' ? slug : `${namespace}/${slug}`;
