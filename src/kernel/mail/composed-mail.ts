import type { Mail } from './mail.js';

/** An email as bytes, with its envelope. */
export interface ComposedMail {
  readonly from: string;
  readonly to: string;
  /** The whole message with its headers (RFC 5322). */
  readonly content: Buffer;
  /** Sorts by the time at which the email was requested; the same for every attempt to send it. */
  readonly fileName: string;
}

/**
 * What the job adds to an email. It is the same for all attempts, so that they all produce the same message.
 */
export interface MailEnvelope {
  readonly from: string;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  readonly jobId: number;
}

/**
 * Composes the message into a buffer, without network access. Texts of emails never name files or URLs to
 * read. Loaded with the first email, because most processes never send one.
 */
const loadComposer = async () => {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};

let composer: ReturnType<typeof loadComposer> | undefined;

/**
 * Returns a text of a header as readers show it. They decode what looks like an encoded word (RFC 2047), some
 * even in quotes, and the composer lets it pass: an invisible character makes it encode the whole text.
 */
const literally = (text: string): string => (text.includes('=?') ? `${text}\u200B` : text);

/** Composes an email. Its headers mark it as automatic, so that nothing replies automatically (RFC 3834). */
export async function composeMail(mail: Mail, envelope: MailEnvelope): Promise<ComposedMail> {
  const { from, messageId, date, jobId } = envelope;
  const further = Object.entries(mail.headers ?? {});
  const names = new Map(further.map(([name]) => [name.toLowerCase(), name]));
  composer ??= loadComposer();
  const { message } = await (
    await composer
  ).sendMail({
    from: mail.fromName === undefined ? from : { name: literally(mail.fromName), address: addressOf(from) },
    ...(mail.fromName === undefined ? {} : { replyTo: from }),
    to: { name: '', address: mail.to },
    subject: literally(mail.subject),
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...Object.fromEntries(further.map(([name, value]) => [name, literally(value)])),
    },
    // Header names keep their spelling: users' filters may be case-sensitive, although they should not be.
    normalizeHeaderKey: (name) => names.get(name.toLowerCase()) ?? name,
    messageId: `<${mail.thread?.messageId ?? messageId}>`,
    ...(mail.thread?.inReplyTo === undefined ? {} : { inReplyTo: `<${mail.thread.inReplyTo}>` }),
    ...(mail.thread?.references === undefined
      ? {}
      : { references: mail.thread.references.map((id) => `<${id}>`) }),
    date,
    baseBoundary: `mail-${jobId}`,
  });
  if (!Buffer.isBuffer(message)) throw new Error('The mail was not composed into memory');
  const fileName = `${fileStamp(date)}-${String(jobId).padStart(12, '0')}.eml`;
  return { from, to: mail.to, content: message, fileName };
}

/** Returns the bare address of a sender that may include a name. */
const addressOf = (from: string): string => /<([^>]+)>$/.exec(from)?.[1] ?? from;

/** Formats a time as the start of file names, so that they sort by it. */
export const fileStamp = (time: Date): string => time.toISOString().replaceAll(/[-:.]/g, '');
