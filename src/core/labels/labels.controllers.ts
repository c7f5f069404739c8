import { Role } from '#kernel/access/roles.js';
import {
  GroupLabelRecord,
  presentGroupLabel,
  presentProjectLabel,
  ProjectLabelRecord,
} from './label.record.js';
import { labelsController } from './labels.controller-factory.js';

const READ = { publicRead: true, anyone: true } as const;

/** The labels of projects. */
export const ProjectLabelsController = labelsController('ProjectLabelsController', {
  path: 'api/v4/projects',
  read: { ...READ, project: Role.Guest },
  write: { project: Role.Reporter },
  subscribe: { publicRead: true, project: Role.Guest },
  record: ProjectLabelRecord,
  present: presentProjectLabel,
});

/** The labels of groups. */
export const GroupLabelsController = labelsController('GroupLabelsController', {
  path: 'api/v4/groups',
  read: { ...READ, group: Role.Guest },
  write: { group: Role.Reporter },
  subscribe: { publicRead: true, group: Role.Guest },
  record: GroupLabelRecord,
  present: presentGroupLabel,
});
