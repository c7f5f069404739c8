import { Role } from '#kernel/access/roles.js';
import { relationExportsController } from './relation-exports.controller-factory.js';

/** Controllers of exports of projects by Maintainers, and of groups by Owners. */
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
