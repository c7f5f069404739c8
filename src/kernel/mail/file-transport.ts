import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LeftOvers } from '#kernel/disk/left-overs.js';
import { logger } from '#kernel/log/logger.js';
import { fileStamp, type ComposedMail } from './composed-mail.js';
import { MailTransport } from './mail-transport.js';

const DAY_MS = 86_400_000;

/** Name of an email file; incomplete ones start with a dot. */
const MAIL_FILE = /^\.?(\d{8}T\d{9}Z)-\d+\.eml/;

/** Days for which an email is kept. */
const KEPT_DAYS = 30;

/**
 * Stores every email as an .eml file that mail clients can open. Only the service's own user may read them,
 * because they contain secrets. Files older than a month are deleted once a day by each process that writes
 * into the folder, since each worker may have a folder of its own.
 */
export class FileTransport extends MailTransport {
  private tidyAt = 0;
  private readonly leftOvers = new LeftOvers(new Logger('Mails'));

  constructor(private readonly folder: string) {
    super();
  }

  /**
   * Written to a temporary file and renamed, so a file is complete or absent; another attempt of the same job
   * replaces it.
   */
  override async send(compose: () => Promise<ComposedMail | null>): Promise<boolean> {
    const mail = await compose();
    if (mail === null) return false;
    const { content, fileName } = mail;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.folder, `.${fileName}.${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(temporary, content, { mode: 0o600, flag: 'wx', flush: true });
      await rename(temporary, join(this.folder, fileName));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await this.tidy();
    return true;
  }

  override close(): void {
    // Nothing stays open between emails.
  }

  /** Never throws: the email has already been written. */
  private async tidy(): Promise<void> {
    const now = Date.now();
    if (now < this.tidyAt) return;
    this.tidyAt = now + DAY_MS;
    const oldest = fileStamp(new Date(now - KEPT_DAYS * DAY_MS));
    try {
      for (const name of await readdir(this.folder)) {
        const stamp = MAIL_FILE.exec(name)?.[1];
        if (stamp !== undefined && stamp < oldest) await this.leftOvers.remove(join(this.folder, name));
      }
    } catch (error) {
      logger.warn({ error }, 'Old mails were not removed');
    }
  }
}
