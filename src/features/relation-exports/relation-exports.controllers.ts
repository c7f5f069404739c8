import { Role } from '#kernel/access/roles.js';
import { relationExportsController } from './relation-exports.controller-factory.js';

/** Exports of projects by their maintainers, of groups by their owners. */
export const RELATION_EXPORT_CONTROLLERS = [
  relationExportsController('ProjectRelationExportsController', {
    of: 'project',
    path: 'api/v4/projects',
    rule: { project: Role.Maintainer, archived: true },
  }),
  relationExportsController('GroupRelationExportsController', {
    of: 'group',
    path: 'api/v4/groups',
    rule: { group: Role.Owner },
  }),
];
