import { CurrentGroup, CurrentProject } from '#kernel/access/caller.js';
import { GROUP_WIKI_READ, GROUP_WIKI_WRITE, PROJECT_WIKI_READ, PROJECT_WIKI_WRITE } from './wiki-access.js';
import { wikisController } from './wikis.controller-factory.js';

/** The wikis of projects. */
export const ProjectWikisController = wikisController('ProjectWikisController', {
  path: 'api/v4/projects',
  read: PROJECT_WIKI_READ,
  write: PROJECT_WIKI_WRITE,
  CurrentOwner: CurrentProject,
});

/** The wikis of groups. */
export const GroupWikisController = wikisController('GroupWikisController', {
  path: 'api/v4/groups',
  read: GROUP_WIKI_READ,
  write: GROUP_WIKI_WRITE,
  CurrentOwner: CurrentGroup,
});
