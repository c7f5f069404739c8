import { Role } from '#kernel/access/roles.js';
import { resourceEventControllers } from '#core/issuables/resource-events/resource-events.controller-factory.js';
import { awardEmojiController } from '#core/notes/award-emoji/award-emoji.controller-factory.js';
import { discussionsController } from '#core/notes/discussions/discussions.controller-factory.js';
import { noteAwardEmojiController } from '#core/notes/award-emoji/note-award-emoji.controller-factory.js';
import { notesController } from '#core/notes/notes.controller-factory.js';
import { participantsController } from '#core/notes/participants/participants.controller-factory.js';
import { subscriptionController } from '#core/notes/participants/subscription.controller-factory.js';
import type { NoteableRoutes } from '#core/notes/noteables/noteable-routes.js';
import { timeTrackingController } from '#core/notes/time-tracking/time-tracking.controller-factory.js';
import { IssueNoteableContribution } from './issue-noteable.contribution.js';
import { IssueRecord } from './issue.record.js';

const ISSUES = {
  type: 'Issue',
  path: 'projects/:id/issues/:issue_iid',
  param: 'issue_iid',
  access: { project: Role.Guest, publicRead: true, feature: 'issues' },
} as const satisfies NoteableRoutes;

/**
 * Controllers of what belongs to issues: notes, discussions, emoji, time tracking, participants and resource
 * events.
 */
export const issueNoteableControllers = [
  notesController('IssueNotesController', ISSUES),
  discussionsController('IssueDiscussionsController', ISSUES),
  noteAwardEmojiController('IssueNoteAwardEmojiController', ISSUES),
  awardEmojiController('IssueAwardEmojiController', ISSUES),
  participantsController('IssueParticipantsController', ISSUES),
  timeTrackingController('IssueTimeTrackingController', ISSUES),
  ...resourceEventControllers('Issue', ISSUES),
  subscriptionController<IssueRecord>('IssueSubscriptionController', {
    ...ISSUES,
    record: IssueRecord,
    presenter: IssueNoteableContribution,
  }),
];
