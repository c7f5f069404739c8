import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoDate, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { MAX_DESCRIPTION } from './milestone-rules.js';

const STATE_EVENTS = ['close', 'activate'] as const;

/** Filters of lists of milestones. */
export class ListMilestonesParams {
  @OneOf(['active', 'closed', 'all'], { optional: true })
  state?: 'active' | 'closed' | 'all';

  @List(Id(), {
    optional: true,
    commaSeparated: true,
    description: 'Not together with milestones of parent groups, which have their own numbers',
  })
  iids?: number[];

  @Text({ optional: true, maxLength: 255 })
  title?: string;

  @Text({ optional: true, maxLength: 255, description: 'Part of the title or the description' })
  search?: string;

  @Flag({ optional: true, description: 'Milestones of the groups above too' })
  include_parent_milestones?: boolean;

  @Flag({ optional: true, description: 'The same' })
  include_ancestors?: boolean;

  @IsoTime({ optional: true })
  updated_before?: Date;

  @IsoTime({ optional: true })
  updated_after?: Date;
}

/** Path parameters of a milestone. */
export class FindMilestoneParams {
  @Id()
  milestone_id!: number;
}

/** Parameters of a new milestone. */
export class CreateMilestoneParams {
  @Text({ blank: true, trim: true })
  title!: string;

  @Text({ optional: true, nullable: true, maxLength: MAX_DESCRIPTION })
  description?: string | null;

  @IsoDate({ optional: true, nullable: true })
  due_date?: string | null;

  @IsoDate({ optional: true, nullable: true })
  start_date?: string | null;
}

/** Changes of a milestone; at least one. */
export class UpdateMilestoneParams extends FindMilestoneParams {
  @Text({ optional: true, trim: true })
  title?: string;

  @Text({ optional: true, nullable: true, maxLength: MAX_DESCRIPTION })
  description?: string | null;

  @IsoDate({ optional: true, nullable: true })
  due_date?: string | null;

  @IsoDate({ optional: true, nullable: true })
  start_date?: string | null;

  @OneOf(STATE_EVENTS, { optional: true })
  state_event?: (typeof STATE_EVENTS)[number];
}
