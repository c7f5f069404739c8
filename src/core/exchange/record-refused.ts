/** A record of the source cannot be brought over; the message says why and is shown. It alone is left out. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
}
