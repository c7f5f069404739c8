import { OneOf } from '#kernel/http/fields/scalar-fields.js';
import { MAIL_EVENTS, type MailEvent } from '../settings/mail-events.js';

/** Parameters of a preview in a project. */
export class PreviewOfProjectParams {
  @OneOf(MAIL_EVENTS.filter((name) => name !== 'new_epic'))
  event!: MailEvent;
}

/** Parameters of a preview in a group. */
export class PreviewOfGroupParams {
  @OneOf(MAIL_EVENTS)
  event!: MailEvent;
}
