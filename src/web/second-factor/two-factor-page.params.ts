import { Text } from '#kernel/http/fields.js';

/** Longest password that is looked at; the digest refuses longer ones anyway. */
const MAX_PASSWORD = 1024;

/** The form that proves a new authenticator. Blank fields are answered by the page, like wrong ones. */
export class SetUpForm {
  /** The secret that the page showed, as only this service can read it. */
  @Text({ optional: true, blank: true, maxLength: 1000 })
  sealed_secret = '';

  @Text({ optional: true, blank: true, maxLength: 100 })
  code = '';
}

/** The form that turns a second factor off: a session alone does not suffice. */
export class TurnOffForm {
  @Text({ optional: true, blank: true, maxLength: MAX_PASSWORD })
  current_password = '';
}

/** The form that asks for new recovery codes. */
export class RenewForm {
  @Text({ optional: true, blank: true, maxLength: MAX_PASSWORD })
  password = '';
}
