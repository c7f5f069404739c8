import { OneOf, Text, IsoTime } from '#kernel/http/fields/scalar-fields.js';
import { escapeHtml } from '#kernel/html/escape-html.js';
import { isoTime } from '#kernel/http/times.js';
import type { UserStatus } from '../user-values.js';

/** Periods in milliseconds after which a status can be cleared. */
const PERIODS = {
  '30_minutes': 1_800_000,
  '3_hours': 10_800_000,
  '8_hours': 28_800_000,
  '1_day': 86_400_000,
  '3_days': 259_200_000,
  '7_days': 604_800_000,
  '30_days': 2_592_000_000,
} as const;

type Period = keyof typeof PERIODS;

/** The status of a user. */
export class UserStatusRecord {
  @Text({ nullable: true, example: 'speech_balloon' })
  emoji!: string | null;

  @Text({ nullable: true })
  message!: string | null;

  @OneOf(['busy', 'not_set'], { nullable: true })
  availability!: string | null;

  @Text({ nullable: true })
  message_html!: string | null;

  @IsoTime({ nullable: true })
  clear_status_at!: string | null;
}

/** Parameters of a new status; without emoji and message the status is removed. */
export class SetUserStatusParams {
  @Text({ optional: true, maxLength: 100, matches: /^[a-z0-9_+-]+$/ })
  emoji?: string;

  @Text({ optional: true, maxLength: 100 })
  message?: string;

  @OneOf(['busy', 'not_set'], { optional: true })
  availability?: 'busy' | 'not_set';

  @OneOf(Object.keys(PERIODS), { optional: true })
  clear_status_after?: Period;
}

/** Returns the requested status, or null for none. */
export function statusOf(params: SetUserStatusParams): UserStatus | null {
  const { emoji = '', message = '', availability = 'not_set', clear_status_after: period } = params;
  if (emoji === '' && message === '' && availability === 'not_set') return null;
  return {
    emoji: emoji === '' ? 'speech_balloon' : emoji,
    message: message === '' ? null : message,
    availability,
    clear_status_at: period === undefined ? null : isoTime(new Date(Date.now() + PERIODS[period])),
  };
}

/** Presents the status; an expired one is empty. */
export function presentStatus(status: UserStatus | null): UserStatusRecord {
  const clearAt = status?.clear_status_at ?? null;
  const isOver = clearAt !== null && Date.parse(clearAt) <= Date.now();
  if (status === null || isOver)
    return { emoji: null, message: null, availability: null, message_html: '', clear_status_at: null };
  return { ...status, message_html: escapeHtml(status.message ?? '') };
}
