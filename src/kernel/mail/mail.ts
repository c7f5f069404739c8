/** One message to one recipient, in both formats that mail clients show. */
export interface Mail {
  /** A bare address: no display name, no list. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** A whole HTML document; if omitted, the email is text only. */
  readonly html?: string;
  /** Further headers, such as `List-Id`; never those that the mailer writes itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Display name of the sender, such as the user whose action the email reports. */
  readonly fromName?: string;
  /** Relation to other emails; if omitted, it starts no thread and its job generates an id. */
  readonly thread?: MailThread;
}

/** Message ids without angle brackets (RFC 5322 3.6.4). */
export interface MailThread {
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
}

/** An email that cannot be sent because of a bug in the code that created it, not because of the server. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** The form that accounts also accept; with the length, every stored address can be written to. */
const ADDRESS = /^(?=.{3,254}$)[^@\s\p{Cc}<>()[\],;:"\\]+@[^@\s\p{Cc}<>()[\],;:"\\]+$/u;
/**
 * The form of the ids that we generate: letters, digits and some marks around one @, followed by a host or an
 * IPv6 address in brackets.
 */
const MESSAGE_ID = /^[\w.+-]{1,200}@(?:[\w.-]{1,250}|\[[\da-f:.]{2,45}\])$/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,60}$/;
/** Line breaks for some reader or other: none of them may occur in a header. */
const LINE_END = /[\p{Cc}\u2028\u2029]/u;
const MAX_HEADER = 900;
const OWN_HEADERS = new Set(
  'from sender to cc bcc reply-to subject date message-id in-reply-to references mime-version content-type content-transfer-encoding'.split(
    ' ',
  ),
);

/** Rejects text that could add a header, a recipient or a second message. @throws MailRefused */
export function assertMail({ to, subject, headers = {}, fromName, thread }: Mail): void {
  if (typeof to !== 'string' || !ADDRESS.test(to)) throw new MailRefused('The address of a mail is invalid');
  if (!isLine(subject)) throw new MailRefused('The subject of a mail is not a single line');
  if (fromName !== undefined && !isLine(fromName))
    throw new MailRefused('The name of a sender is not a single line');
  const ids = thread
    ? [thread.messageId, thread.inReplyTo ?? thread.messageId, ...(thread.references ?? [])]
    : [];
  if (!ids.every((id) => MESSAGE_ID.test(id))) throw new MailRefused('The id of a message is invalid');
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || OWN_HEADERS.has(name.toLowerCase()))
      throw new MailRefused('A header of a mail may not be set');
    if (!isLine(value)) throw new MailRefused(`The header ${name} of a mail is not a single line`);
  }
}

const isLine = (text: unknown): boolean =>
  typeof text === 'string' && text.length <= MAX_HEADER && !LINE_END.test(text);
