/** Thrown if something cannot be created at its destination; the message is shown to users. */
export class DestinationRefused extends Error {
  override readonly name = 'DestinationRefused';
}
