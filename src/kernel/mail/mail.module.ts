import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '#kernel/config/config.js';
import { FileTransport } from './file-transport.js';
import { MailTransport } from './mail-transport.js';
import { Mails } from './mails.js';
import { SmtpTransport } from './smtp-transport.js';

const openTransport = (config: Config): MailTransport =>
  config.SMTP_URL === undefined
    ? new FileTransport(join(config.DATA_DIR, 'mail'))
    : new SmtpTransport(config.SMTP_URL);

/** Offers Mails everywhere: by SMTP where SMTP_URL says so, else as files below DATA_DIR. Needs the QueueModule. */
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
