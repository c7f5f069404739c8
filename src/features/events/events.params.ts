import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { After, Before } from './event-bounds.js';
import { ACTION_NAMES, TARGET_TYPE_NAMES, type EventAction } from './event-kinds.js';

/** Filters of all lists of events. */
export class ListEventsParams {
  @OneOf(ACTION_NAMES, { optional: true, description: 'Action' })
  action?: EventAction;

  @OneOf(TARGET_TYPE_NAMES, { optional: true, description: 'Type of the target' })
  target_type?: string;

  @Before({ optional: true, description: 'Events before this day (YYYY-MM-DD), or before this time' })
  before?: Date;

  @After({ optional: true, description: 'Events after this day (YYYY-MM-DD), or after this time' })
  after?: Date;

  @OneOf(['created_at', 'id'], { optional: true, description: 'created_at unless given' })
  order_by?: 'created_at' | 'id';

  @OneOf(['asc', 'desc'], { optional: true, description: 'By time; default: newest first' })
  sort?: 'asc' | 'desc';
}

/** Filters of the caller's own events. */
export class ListOwnEventsParams extends ListEventsParams {
  @Text({
    optional: true,
    maxLength: 255,
    description: 'all: the events of everybody in all projects that the caller is a member of',
  })
  scope?: string;
}

/** Filters of a user's events. */
export class ListUserEventsParams extends ListEventsParams {
  @Text({ maxLength: 255, description: 'Id or username' })
  id!: string;
}
