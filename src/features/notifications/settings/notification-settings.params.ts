import { partialOf } from '#kernel/http/fields/derived-fields.js';
import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { GLOBAL_LEVELS, LEVELS, type Level } from './levels.js';
import { GroupMailEvents, ProjectMailEvents } from './mail-events.record.js';

const LEVEL = 'Notification level; single events only count for custom';

/** Parameters of a change of a project's setting. */
export class ChangeOfProjectParams extends partialOf(ProjectMailEvents) {
  @OneOf(LEVELS, { optional: true, description: LEVEL })
  level?: Level;
}

/** Parameters of a change of a group's setting. */
export class ChangeOfGroupParams extends partialOf(GroupMailEvents) {
  @OneOf(LEVELS, { optional: true, description: LEVEL })
  level?: Level;
}

const Address = (): PropertyDecorator =>
  Text({
    optional: true,
    nullable: true,
    trim: true,
    maxLength: 254,
    description: 'One of the confirmed addresses; empty for the first one',
  });

/** Parameters of a change on the page of a group or project, where groups also have an address. */
export class ChangeOnPageParams extends ChangeOfGroupParams {
  @Address()
  notification_email?: string | null;
}

/** Parameters of a change of the global setting. */
export class ChangeOfAllParams extends partialOf(GroupMailEvents) {
  @OneOf(GLOBAL_LEVELS, { optional: true, description: LEVEL })
  level?: Level;

  @Address()
  notification_email?: string | null;
}
