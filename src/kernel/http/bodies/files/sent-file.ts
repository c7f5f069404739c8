/** A small file of a multipart body, as a parameter; only the body's reader makes one, so nothing else can pass for it. */
export class SentFile {
  constructor(
    /** Its name as sent, without folders. */
    readonly name: string,
    /** Cut after the most that the parameter takes, and one byte. */
    readonly content: Buffer,
  ) {}
}
