import { Text } from './fields/scalar-fields.js';

/** An answer that is a sentence, such as `202 Accepted`. */
export class MessageRecord {
  @Text()
  message!: string;
}

/** What a scheduled deletion answers. */
export const ACCEPTED: MessageRecord = { message: '202 Accepted' };
