import { Text } from '#kernel/http/fields/scalar-fields.js';

/** Response to SDKs; empty if nothing was stored. */
export class StoredErrorEventRecord {
  @Text({ optional: true, description: 'Id of the event, 32 hexadecimal digits' })
  id?: string;
}
