import { resourceEventControllers } from '#core/issuables/resource-events/resource-events.controller-factory.js';
import { awardEmojiController } from '#core/notes/award-emoji/award-emoji.controller-factory.js';
import { discussionsController } from '#core/notes/discussions/discussions.controller-factory.js';
import { noteAwardEmojiController } from '#core/notes/award-emoji/note-award-emoji.controller-factory.js';
import { notesController } from '#core/notes/notes.controller-factory.js';
import { participantsController } from '#core/notes/participants/participants.controller-factory.js';
import { resolutionController } from '#core/notes/discussions/resolution.controller-factory.js';
import { subscriptionController } from '#core/notes/participants/subscription.controller-factory.js';
import type { NoteableRoutes } from '#core/notes/noteables/noteable-routes.js';
import { timeTrackingController } from '#core/notes/time-tracking/time-tracking.controller-factory.js';
import { MergeRequestDetailRecord } from './records/merge-request-detail.record.js';
import { MergeRequestDetailPresenter } from './records/merge-request-detail.presenter.js';
import { MERGE_REQUEST_TALK } from './merge-request.access.js';

const MERGE_REQUESTS = {
  type: 'MergeRequest',
  path: 'projects/:id/merge_requests/:merge_request_iid',
  param: 'merge_request_iid',
  access: MERGE_REQUEST_TALK,
} as const satisfies NoteableRoutes;

/**
 * Controllers of what belongs to merge requests: notes, discussions, emoji, time tracking, participants and
 * resource events.
 */
export const mergeRequestNoteableControllers = [
  notesController('MergeRequestNotesController', MERGE_REQUESTS),
  discussionsController('MergeRequestDiscussionsController', MERGE_REQUESTS),
  resolutionController('MergeRequestResolutionController', MERGE_REQUESTS),
  noteAwardEmojiController('MergeRequestNoteAwardEmojiController', MERGE_REQUESTS),
  awardEmojiController('MergeRequestAwardEmojiController', MERGE_REQUESTS),
  participantsController('MergeRequestParticipantsController', MERGE_REQUESTS),
  timeTrackingController('MergeRequestTimeTrackingController', MERGE_REQUESTS),
  ...resourceEventControllers('MergeRequest', MERGE_REQUESTS),
  subscriptionController<MergeRequestDetailRecord>('MergeRequestSubscriptionController', {
    ...MERGE_REQUESTS,
    record: MergeRequestDetailRecord,
    presenter: MergeRequestDetailPresenter,
  }),
];
