import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '#kernel/config/config.js';
import { FileTransport } from './file-transport.js';
import { MailTransport } from './mail-transport.js';
import { Mails } from './mails.js';

/** The SMTP client is loaded only if a server is configured. */
async function openTransport({ SMTP_URL: url, DATA_DIR: folder }: Config): Promise<MailTransport> {
  if (url === undefined) return new FileTransport(join(folder, 'mail'));
  const { SmtpTransport } = await import('./smtp-transport.js');
  return new SmtpTransport(url);
}

/**
 * Provides Mails globally: by SMTP if SMTP_URL is set, otherwise as files below DATA_DIR. Needs the
 * QueueModule.
 */
@Global()
@Module({
  providers: [{ provide: MailTransport, inject: [Config], useFactory: openTransport }, Mails],
  exports: [MailTransport, Mails],
})
export class MailModule implements OnApplicationShutdown {
  constructor(private readonly transport: MailTransport) {}

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
