import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ComposedMail } from './composed-mail.js';
import { MailTransport } from './mail-transport.js';

/** Keeps every mail as an .eml file that mail programs open; only the service's own user may read them: they hold secrets. */
export class FileTransport extends MailTransport {
  constructor(private readonly folder: string) {
    super();
  }

  /** Written beside and renamed: a file is whole or not there; another attempt of the same job replaces it. */
  override async send({ content, fileName }: ComposedMail): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const temporary = join(this.folder, `.${fileName}.${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(temporary, content, { mode: 0o600, flag: 'wx', flush: true });
      await rename(temporary, join(this.folder, fileName));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  override close(): void {
    // Nothing stays open between two mails.
  }
}
