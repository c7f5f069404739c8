import { Text } from '#kernel/http/fields/scalar-fields.js';
import { MAX_TITLE } from '../text.rules.js';

/** The trimmed title of an issue, a merge request or an epic; `assertTitle` checks that it is not empty. */
export const Title = (options: { readonly optional: boolean; readonly example: string }): PropertyDecorator =>
  Text({ ...options, blank: true, trim: true, maxLength: MAX_TITLE });
