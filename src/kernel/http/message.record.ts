import { Text } from './fields/scalar-fields.js';

/** A response that is a sentence, such as `202 Accepted`. */
export class MessageRecord {
  @Text()
  message!: string;
}

/** Response to a scheduled deletion. */
export const ACCEPTED: MessageRecord = { message: '202 Accepted' };
