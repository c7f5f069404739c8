import type { Type } from '@nestjs/common';
import { Role, Tier } from '#kernel/access/roles.js';
import { resourceEventControllers } from '#core/issuables/resource-events/resource-events.controller-factory.js';
import { awardEmojiController } from '#core/notes/award-emoji/award-emoji.controller-factory.js';
import { discussionsController } from '#core/notes/discussions/discussions.controller-factory.js';
import { noteAwardEmojiController } from '#core/notes/award-emoji/note-award-emoji.controller-factory.js';
import { notesController } from '#core/notes/notes.controller-factory.js';
import type { NoteableRoutes } from '#core/notes/noteables/noteable-routes.js';

const access = { group: Role.Guest, publicRead: true, tier: Tier.Premium } as const;

/** Clients identify an epic by its id in paths of notes, and by its number in paths of emoji. */
const routes = (epics: string): { readonly talk: NoteableRoutes; readonly emoji: NoteableRoutes } => ({
  talk: { type: 'Epic', path: `${epics}/:epic_id`, param: 'epic_id', access },
  emoji: { type: 'Epic', path: `${epics}/:epic_iid`, param: 'epic_iid', access },
});

function controllers(prefix: string, epics: string): Type[] {
  const { talk, emoji } = routes(epics);
  return [
    notesController(`${prefix}NotesController`, talk),
    discussionsController(`${prefix}DiscussionsController`, talk),
    awardEmojiController(`${prefix}AwardEmojiController`, emoji),
    noteAwardEmojiController(`${prefix}NoteAwardEmojiController`, talk),
    ...resourceEventControllers(prefix, talk),
  ];
}

/**
 * Controllers of notes, discussions and emoji of epics, emoji of these notes, and resource events; also with
 * `/-/` in the path.
 */
export const epicNoteableControllers: Type[] = [
  ...controllers('Epic', 'groups/:id/epics'),
  ...controllers('EpicAlias', 'groups/:id/-/epics'),
];
