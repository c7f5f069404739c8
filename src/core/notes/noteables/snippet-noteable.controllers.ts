import type { Type } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { awardEmojiController } from '../award-emoji/award-emoji.controller-factory.js';
import { discussionsController } from '../discussions/discussions.controller-factory.js';
import { noteAwardEmojiController } from '../award-emoji/note-award-emoji.controller-factory.js';
import { notesController } from '../notes.controller-factory.js';
import type { NoteableRoutes } from './noteable-routes.js';

const SNIPPETS: NoteableRoutes = {
  type: 'Snippet',
  path: 'projects/:id/snippets/:snippet_id',
  param: 'snippet_id',
  access: { project: Role.Guest, publicRead: true, feature: 'snippets' },
};

/** Controllers of notes, discussions and emoji of snippets of projects. */
export const snippetNoteableControllers: Type[] = [
  notesController('SnippetNotesController', SNIPPETS),
  discussionsController('SnippetDiscussionsController', SNIPPETS),
  awardEmojiController('SnippetAwardEmojiController', SNIPPETS),
  noteAwardEmojiController('SnippetNoteAwardEmojiController', SNIPPETS),
];
