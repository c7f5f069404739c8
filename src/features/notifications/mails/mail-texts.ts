import { levelName } from '#core/members/member-levels.js';
import type { MailScene } from './mail-scene.js';

/** Prefix of the number of a noteable, and its name for users. */
const NOTEABLES = {
  Issue: { sign: '#', name: 'issue' },
  MergeRequest: { sign: '!', name: 'merge request' },
  Epic: { sign: '&', name: 'epic' },
  Snippet: { sign: '$', name: 'snippet' },
  Commit: { sign: '@', name: 'commit' },
  Pipeline: { sign: '#', name: 'pipeline' },
  Project: { sign: '', name: 'project' },
  Group: { sign: '', name: 'group' },
} as const;

const userName = ({ name, username }: { name: string; username: string }): string => `${name} (@${username})`;

/** Limits of parts of a subject, so that the number after them is kept. */
const MAX_NAME = 200;
const MAX_TITLE = 400;

/** Shortens a text without cutting a character in two. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const begin = text.slice(0, most);
  return `${begin.isWellFormed() ? begin : begin.slice(0, -1)}…`;
}

/** Returns the reference to the noteable, such as `#7`. */
export function reference({ event: { target }, subject }: MailScene): string {
  const { sign } = NOTEABLES[target.type];
  return sign === '' || target.type === 'Commit' ? '' : `${sign}${subject.iid ?? subject.id}`;
}

/** Returns the name of the noteable for users, with its number. */
export const noteableName = (scene: MailScene): string => {
  const { name } = NOTEABLES[scene.event.target.type];
  const { title } = scene.subject;
  return scene.event.target.type === 'Commit' ? `${name} ${title}` : `${name} ${reference(scene)}`.trim();
};

/** Returns the subject text: the title of the noteable, or for some events a description. */
export function headline(scene: MailScene): string {
  const { event } = scene;
  const name = clipped(scene.container.name, MAX_NAME);
  const title = clipped(scene.subject.title, MAX_TITLE);
  const where = `${name} ${NOTEABLES[event.target.type].name}`;
  const pipeline = `pipeline for ${title} (${reference(scene)})`;
  switch (event.kind) {
    case 'member_added':
      return `Access to the ${where} was granted`;
    case 'member_changed':
      return `Access to the ${where} was changed`;
    case 'membership_expiring':
      return `Your membership of the ${where} will expire soon`;
    case 'moved_project':
      return `${name} | Project was moved`;
    case 'failed_pipeline':
      return `${name} | Failed ${pipeline}`;
    case 'fixed_pipeline':
      return `${name} | Fixed ${pipeline}`;
    case 'success_pipeline':
      return `${name} | Successful ${pipeline}`;
    default: {
      const number = reference(scene);
      return `${name} | ${title}${number === '' ? '' : ` (${number})`}`;
    }
  }
}

const people = (scene: MailScene, none: string): string =>
  scene.people.length === 0 ? none : scene.people.map(userName).join(', ');

/** Returns the first sentence of the mail: who did what. */
export function firstSentence(scene: MailScene): string {
  const who = scene.actor ? userName(scene.actor) : 'Somebody';
  const noteable = noteableName(scene);
  switch (scene.event.kind) {
    case 'new_issue':
    case 'new_merge_request':
    case 'new_epic':
      return `${who} created ${noteable}.`;
    case 'new_note':
      return `${who} commented on ${noteable}:`;
    case 'close_issue':
    case 'close_merge_request':
    case 'close_epic':
      return `${who} closed ${noteable}.`;
    case 'reopen_issue':
    case 'reopen_merge_request':
    case 'reopen_epic':
      return `${who} reopened ${noteable}.`;
    case 'merge_merge_request':
      return `${who} merged ${noteable}.`;
    case 'reassign_issue':
    case 'reassign_merge_request':
      return `${who} changed the assignees of ${noteable} to ${people(scene, 'nobody')}.`;
    case 'change_reviewer_merge_request':
      return `${who} changed the reviewers of ${noteable} to ${people(scene, 'nobody')}.`;
    case 'push_to_merge_request':
      return `${who} pushed to ${noteable}.`;
    case 'merge_when_pipeline_succeeds':
      return `${who} set ${noteable} to be merged when its pipeline succeeds.`;
    case 'became_unmergeable':
      return `${capital(noteable)} can no longer be merged: it conflicts with its target branch.`;
    case 'issue_due':
      return `${capital(noteable)} is due tomorrow.`;
    case 'relabeled':
      return `${who} added labels to ${noteable}.`;
    case 'mentioned':
      return `${who} mentioned you in ${noteable}.`;
    case 'failed_pipeline':
      return `${capital(noteable)} of ${scene.subject.title} has failed.`;
    case 'fixed_pipeline':
      return `${capital(noteable)} of ${scene.subject.title} has succeeded after the previous one failed.`;
    case 'success_pipeline':
      return `${capital(noteable)} of ${scene.subject.title} has succeeded.`;
    case 'moved_project':
      return `The project was moved: it is now ${scene.container.full_path}.`;
    case 'new_release':
      return `${who} published a release of ${scene.container.name}.`;
    case 'member_added':
      return `${who} made you a member of the ${noteable} ${scene.container.full_path}: ${roleOf(scene)}.`;
    case 'member_changed':
      return `${who} changed your role in the ${noteable} ${scene.container.full_path}. Now: ${roleOf(scene)}.`;
    case 'membership_expiring':
      return `Your membership of the ${noteable} ${scene.container.full_path} ends within a week: ${roleOf(scene)}.`;
  }
}

/** Describes the reader's role, and its expiry. */
function roleOf({ event: { membership } }: MailScene): string {
  if (!membership) return 'Member';
  const { accessLevel, expiresAt } = membership;
  return `${levelName(accessLevel)}${expiresAt === null ? '' : `, until ${expiresAt}`}`;
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const REASONS = {
  own_activity: 'you asked to be notified of your own activity',
  assigned: 'you are assigned to it',
  review_requested: 'you were asked to review it',
  mentioned: 'you were mentioned',
  subscribed: 'you have subscribed to it',
} as const;

/** Describes why the reader gets the mail. */
export const whyItCame = ({ event, reason, container }: MailScene): string =>
  event.membership
    ? 'You get this mail because it is about your own membership.'
    : reason === null
      ? `You get this mail because of your notification settings for ${container.full_path}.`
      : `You get this mail because ${REASONS[reason]}.`;

/** Returns the text that the mail quotes: the comment, or the description of a new noteable. */
export const quotedText = ({ event: { kind }, note, subject }: MailScene): string | null =>
  note ? note.body : /^(new_|mentioned)/.test(kind) ? subject.description : null;
