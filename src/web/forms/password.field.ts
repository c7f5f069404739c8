import { Text } from '#kernel/http/fields/scalar-fields.js';

/** Longer ones are refused before they cost anything. */
const MAX_LENGTH = 1024;

/** A password as a form sends it: blanks and wrong ones are answered by the page. */
export const PasswordText = (): PropertyDecorator => Text({ optional: true, maxLength: MAX_LENGTH });
