import { createTransport } from 'nodemailer';
import { logger } from '#kernel/log/logger.js';
import { FairPool } from '#kernel/processes/fair-pool.js';
import { PermanentFailure } from '#kernel/queue/job-processor.js';
import type { ComposedMail } from './composed-mail.js';
import { MAIL_JOB_TIMEOUT_MS, MAIL_TIMEOUT_MS, MailTransport } from './mail-transport.js';

/**
 * Milliseconds. A server may take minutes for an answer (RFC 5321 4.5.3.2), and who does not wait for its
 * confirmation sends a mail again that was accepted.
 */
const TIMEOUTS = {
  connectionTimeout: 10_000,
  dnsTimeout: 10_000,
  greetingTimeout: 300_000,
  socketTimeout: 600_000,
} as const;

const MAX_CONNECTIONS = 3;

/** Limits that no emails reach: the queues run fewer jobs at a time, and these end earlier. */
const NO_LIMIT = { waiting: 1_000, waitMs: MAIL_JOB_TIMEOUT_MS } as const;

/** Codes of rejections that concern this email. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

/** The server requires authentication, or TLS, for any command. */
const NOT_SIGNED_IN = 530;

/** Details of a failed attempt; never the server's own text, which repeats addresses. */
interface SendError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** A mail server could not be reached or did not accept the email. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
}

/** Sends by SMTP over a few persistent connections. */
export class SmtpTransport extends MailTransport {
  private readonly pool;
  /** The connections: an email is composed once one is free. */
  private readonly slots = new FairPool({ width: MAX_CONNECTIONS, share: MAX_CONNECTIONS, ...NO_LIMIT });

  /**
   * `url` is SMTP_URL: `smtps://` uses TLS from the start, `smtp://` upgrades to it if the server offers it.
   * `limitMs`: for one email, from its turn on.
   */
  constructor(
    url: string,
    private readonly limitMs = MAIL_TIMEOUT_MS,
  ) {
    super();
    this.pool = createTransport({
      url,
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      // The job retries and counts attempts; the pool would do so unnoticed.
      maxRequeues: 0,
      idleTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...TIMEOUTS,
    });
    // Errors of idle connections; without a listener they would end the process.
    this.pool.on('error', (error: SendError) =>
      logger.warn({ code: error.code }, 'The connection to the mail server was lost'),
    );
  }

  override async send(compose: () => Promise<ComposedMail | null>, signal: AbortSignal): Promise<boolean> {
    const release = await this.slots.take({ holders: [] }, signal);
    try {
      const mail = await compose();
      if (mail !== null) await this.pass(mail, signal);
      return mail !== null;
    } finally {
      release();
    }
  }

  private async pass({ from, to, content }: ComposedMail, signal: AbortSignal): Promise<void> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.limitMs);
    const either = AbortSignal.any([signal, limit.signal]);
    try {
      await this.pool.sendMail({ envelope: { from, to: [to] }, raw: content, signal: either });
    } catch (error) {
      throw withoutAddresses(error as SendError);
    } finally {
      clearTimeout(timer);
    }
  }

  override close(): void {
    this.pool.close();
  }
}

function withoutAddresses({ code = 'unknown', command, responseCode }: SendError): Error {
  const answer = responseCode === undefined ? 'no answer' : `answer ${responseCode}`;
  const text = `The mail server rejected the mail: ${code}, ${answer}`;
  // Sender and authentication are configured, so that what the server rejects about them may be fixed.
  const isConfigured = !ABOUT_THE_MAIL.has(code) || command === 'MAIL FROM' || responseCode === NOT_SIGNED_IN;
  const isFinal = responseCode !== undefined && responseCode >= 500 && !isConfigured;
  return isFinal ? new PermanentFailure(text) : new MailNotSent(text);
}
