import { createTransport } from 'nodemailer';
import { logger } from '#kernel/log/logger.js';
import { PermanentFailure } from '#kernel/queue/job-processor.js';
import type { ComposedMail } from './composed-mail.js';
import { MailTransport } from './mail-transport.js';

/** Milliseconds; together they stay below the time-out of the job. */
const TIMEOUTS = {
  connectionTimeout: 10_000,
  dnsTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
} as const;

/** Steps at which a refusal is about this mail; a refused sign-in is about the configuration and may be mended. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

/** What a failed sending tells; never the server's own words, which repeat addresses. */
interface SendError {
  readonly code?: string;
  readonly responseCode?: number;
}

/** A mail server could not be reached or did not take the mail. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
}

/** Sends by SMTP over a few connections that are kept open. */
export class SmtpTransport extends MailTransport {
  private readonly pool;

  /** `url` is SMTP_URL: `smtps://` speaks TLS from the start, `smtp://` changes to it where the server offers it. */
  constructor(url: string) {
    super();
    this.pool = createTransport({
      url,
      pool: true,
      maxConnections: 3,
      // The job tries again and keeps count; the pool would do so behind its back.
      maxRequeues: 0,
      idleTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...TIMEOUTS,
    });
    // Of idle connections; without a listener such an error would end the process.
    this.pool.on('error', (error: SendError) => logger.warn({ code: error.code }, 'Mail server lost'));
  }

  override async send({ from, to, content }: ComposedMail): Promise<void> {
    try {
      await this.pool.sendMail({ envelope: { from, to: [to] }, raw: content });
    } catch (error) {
      throw withoutAddresses(error as SendError);
    }
  }

  override close(): void {
    this.pool.close();
  }
}

function withoutAddresses({ code = 'unknown', responseCode }: SendError): Error {
  const answer = responseCode === undefined ? 'no answer' : `answer ${responseCode}`;
  const text = `The mail server did not take the mail: ${code}, ${answer}`;
  const isFinal = responseCode !== undefined && responseCode >= 500 && ABOUT_THE_MAIL.has(code);
  return isFinal ? new PermanentFailure(text) : new MailNotSent(text);
}
