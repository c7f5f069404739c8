import { Text } from '#kernel/http/fields/scalar-fields.js';
import { MAX_TITLE } from '../text.rules.js';

/** The title of an issue, a merge request or an epic, without the blanks around it; `assertTitle` says whether anything is left. */
export const Title = (options: { readonly optional: boolean; readonly example: string }): PropertyDecorator =>
  Text({ ...options, blank: true, trim: true, maxLength: MAX_TITLE });
