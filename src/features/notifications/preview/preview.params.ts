import { OneOf } from '#kernel/http/fields/scalar-fields.js';
import { MAIL_EVENTS, type MailEvent } from '../settings/mail-events.js';

/** Which event of a project to tell of. */
export class PreviewOfProjectParams {
  @OneOf(MAIL_EVENTS.filter((name) => name !== 'new_epic'))
  event!: MailEvent;
}

/** Which event to tell of. */
export class PreviewOfGroupParams {
  @OneOf(MAIL_EVENTS)
  event!: MailEvent;
}
