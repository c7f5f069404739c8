import type { Type } from '@nestjs/common';
import { Role, Tier } from '#kernel/access/roles.js';
import { noteAwardEmojiController } from '#core/notes/note-award-emoji-controller.js';
import { notesController } from '#core/notes/notes-controller.js';
import type { ThingRoutes } from '#core/notes/thing-routes.js';

const EPICS: ThingRoutes = {
  type: 'Epic',
  path: 'groups/:id/epics/:epic_id',
  param: 'epic_id',
  access: { group: Role.Guest, publicRead: true, tier: Tier.Premium },
};

/** Notes of epics, and the emoji of these notes. */
export const epicTalkControllers: Type[] = [
  notesController('EpicNotesController', EPICS),
  noteAwardEmojiController('EpicNoteAwardEmojiController', EPICS),
];
