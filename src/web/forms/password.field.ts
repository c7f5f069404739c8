import { Text } from '#kernel/http/fields/scalar-fields.js';

/** Longer passwords are rejected before they cost anything. */
const MAX_LENGTH = 1024;

/** Decorator for a password sent by a form: missing and wrong ones are reported by the page itself. */
export const PasswordText = (): PropertyDecorator => Text({ optional: true, maxLength: MAX_LENGTH });
