import { Text } from '#kernel/http/fields/scalar-fields.js';

/** What SDKs are told of what they sent; empty where there was nothing to keep. */
export class StoredErrorEventRecord {
  @Text({ optional: true, description: 'Id of the event, 32 hexadecimal digits' })
  id?: string;
}
