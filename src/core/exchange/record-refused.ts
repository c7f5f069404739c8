/** Thrown if a record cannot be imported; the message is shown to users. Only this record is skipped. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
}
