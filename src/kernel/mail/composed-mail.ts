import type { Mail } from './mail.js';

/** A mail as bytes, with what a server must be told of it. */
export interface ComposedMail {
  readonly from: string;
  readonly to: string;
  /** The whole message with its headers (RFC 5322). */
  readonly content: Buffer;
  /** Sorts by the time at which the mail was wanted; the same for every attempt to send it. */
  readonly fileName: string;
}

/** What the job adds to a mail: the same for all its attempts, so that they all write the same message. */
export interface MailEnvelope {
  readonly from: string;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  readonly jobId: number;
}

/**
 * Writes no network: it answers the message as a buffer. Texts of mails never name files or URLs to read. Loaded with the first mail,
 * for most processes never write one.
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

/** Writes a mail down. Programs are told that no person wrote it, so that nothing answers by itself (RFC 3834). */
export async function composeMail(mail: Mail, envelope: MailEnvelope): Promise<ComposedMail> {
  const { from, messageId, date, jobId } = envelope;
  const names = new Map(Object.keys(mail.headers ?? {}).map((name) => [name.toLowerCase(), name]));
  composer ??= loadComposer();
  const { message } = await (
    await composer
  ).sendMail({
    from: mail.fromName === undefined ? from : { name: mail.fromName, address: addressOf(from) },
    ...(mail.fromName === undefined ? {} : { replyTo: from }),
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...mail.headers },
    // Names stay as they are written: filters of people may tell letters apart, though they should not.
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

/** The bare address of a sender that may have a name. */
const addressOf = (from: string): string => /<([^>]+)>$/.exec(from)?.[1] ?? from;

/** A time as names of files begin with it, so that they sort by it. */
export const fileStamp = (time: Date): string => time.toISOString().replaceAll(/[-:.]/g, '');
