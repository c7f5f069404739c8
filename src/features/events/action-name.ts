import { ACTIONS, actionNumber, SUBJECTS, subjectNumber } from './event-kinds.js';

const NAMES = new Map<number, string>([
  [ACTIONS.closed, 'closed'],
  [ACTIONS.commented, 'commented on'],
  [ACTIONS.merged, 'accepted'],
  [ACTIONS.joined, 'joined'],
  [ACTIONS.left, 'left'],
  [ACTIONS.destroyed, 'destroyed'],
  [ACTIONS.expired, 'removed due to membership expiration from'],
  [ACTIONS.approved, 'approved'],
]);

const PUSH_NAMES = new Map([
  ['created', 'pushed new'],
  ['removed', 'deleted'],
]);

/** Returns the name of an action in events; v4 clients know reopening as `opened` (`planning.md` 1.2). */
export function actionName(kind: number, pushAction: string | undefined): string {
  const subject = subjectNumber(kind);
  const action = actionNumber(kind);
  if (subject === SUBJECTS.push) return PUSH_NAMES.get(pushAction ?? '') ?? 'pushed to';
  if (action === ACTIONS.updated && subject === SUBJECTS.wikiPage) return 'updated';
  if (action === ACTIONS.created && (subject === SUBJECTS.project || subject === SUBJECTS.wikiPage))
    return 'created';
  return NAMES.get(action) ?? 'opened';
}
