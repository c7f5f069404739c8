/** What is to be migrated cannot be put where it is wanted; the message says why and is shown. */
export class DestinationRefused extends Error {
  override readonly name = 'DestinationRefused';
}
