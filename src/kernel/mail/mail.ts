/** One message to one reader, in both forms that mail programs show. */
export interface Mail {
  /** A bare address: no display name, no list. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** A whole HTML document; unset: the mail has the text alone. */
  readonly html?: string;
  /** Further headers, such as `List-Id`; never those that the mailer writes itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name that stands before the address of the sender, such as that of whoever did what the mail tells of. */
  readonly fromName?: string;
  /** What ties it to other mails; unset: it stands alone, under an id that its job makes. */
  readonly thread?: MailThread;
}

/** Ids of messages, without angle brackets (RFC 5322 3.6.4). */
export interface MailThread {
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
}

/** A mail that cannot be sent as it is: a mistake of the code that made it, not of the server. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** The form that accounts may have too; with the length, everything that they store can be written to. */
const ADDRESS = /^(?=.{3,254}$)[^@\s\p{Cc}<>()[\],;:"\\]+@[^@\s\p{Cc}<>()[\],;:"\\]+$/u;
/** Of those that we make: letters, digits and some marks around one @, after which an IPv6 address stands in brackets. */
const MESSAGE_ID = /^[\w.+-]{1,200}@(?:[\w.-]{1,250}|\[[\da-f:.]{2,45}\])$/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,60}$/;
/** Lines end at these for one reader or another: none of them may stand in a header. */
const LINE_END = /[\p{Cc}\u2028\u2029]/u;
const MAX_HEADER = 900;
const OWN_HEADERS = new Set(
  'from sender to cc bcc reply-to subject date message-id in-reply-to references mime-version content-type content-transfer-encoding'.split(
    ' ',
  ),
);

/** Refuses whatever could add a header, a reader or a second message. @throws MailRefused */
export function assertMail({ to, subject, headers = {}, fromName, thread }: Mail): void {
  if (typeof to !== 'string' || !ADDRESS.test(to)) throw new MailRefused('The address of a mail is none');
  if (!isLine(subject)) throw new MailRefused('The subject of a mail is no single line');
  if (fromName !== undefined && !isLine(fromName))
    throw new MailRefused('The name of a sender is no single line');
  const ids = thread
    ? [thread.messageId, thread.inReplyTo ?? thread.messageId, ...(thread.references ?? [])]
    : [];
  if (!ids.every((id) => MESSAGE_ID.test(id))) throw new MailRefused('The id of a message is none');
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || OWN_HEADERS.has(name.toLowerCase()))
      throw new MailRefused('A header of a mail may not be set');
    if (!isLine(value)) throw new MailRefused(`The header ${name} of a mail is no single line`);
  }
}

const isLine = (text: unknown): boolean =>
  typeof text === 'string' && text.length <= MAX_HEADER && !LINE_END.test(text);
