import { Role } from '#kernel/access/roles.js';
import { milestonesController } from './milestones.controller-factory.js';

const READ = { publicRead: true, anyone: true } as const;

/** The milestones of projects. */
export const ProjectMilestonesController = milestonesController('ProjectMilestonesController', {
  path: 'api/v4/projects',
  read: { ...READ, project: Role.Guest },
  write: { project: Role.Reporter },
});

/** The milestones of groups. */
export const GroupMilestonesController = milestonesController('GroupMilestonesController', {
  path: 'api/v4/groups',
  read: { ...READ, group: Role.Guest },
  write: { group: Role.Reporter },
});
