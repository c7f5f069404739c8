import { Tier } from '#kernel/access/roles.js';
import { presentGroupMove, presentProjectMove, presentSnippetMove } from './present-move.js';
import { GroupMoveRecord, ProjectMoveRecord, SnippetMoveRecord } from './storage-move.record.js';
import { storageMovesController } from './storage-moves.controller-factory.js';

/** Controllers of moves of projects with their wikis, of snippets, and of the wikis of groups (premium). */
export const STORAGE_MOVE_CONTROLLERS = [
  storageMovesController('ProjectStorageMovesController', {
    ownerType: 'Project',
    paths: ['project_repository_storage_moves', 'projects'],
    rule: { admin: true },
    record: ProjectMoveRecord,
    present: presentProjectMove,
  }),
  storageMovesController('SnippetStorageMovesController', {
    ownerType: 'Snippet',
    paths: ['snippet_repository_storage_moves', 'snippets'],
    rule: { admin: true },
    record: SnippetMoveRecord,
    present: presentSnippetMove,
  }),
  storageMovesController('GroupStorageMovesController', {
    ownerType: 'Group',
    paths: ['group_repository_storage_moves', 'groups'],
    rule: { admin: true, tier: Tier.Premium },
    record: GroupMoveRecord,
    present: presentGroupMove,
  }),
];
