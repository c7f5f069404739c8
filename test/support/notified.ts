import type { TestApi } from './api.js';
import { decoded, startMailServer, type ReceivedMail, type TestMailServer } from './mail.js';
import { until } from './until.js';

/** A notification mail, in readable form. */
export interface ToldMail {
  readonly to: string;
  readonly content: string;
  /** Value of a header, unfolded; null without it. */
  header(name: string): string | null;
}

const told = ({ to, content }: ReceivedMail): ToldMail => ({
  to: (to[0] ?? '').replace('@example.com', ''),
  content: decoded(content),
  header: (name) => {
    const head = (content.split(/\r?\n\r?\n/)[0] ?? '').replaceAll(/\r?\n[ \t]+/g, ' ');
    const line = head.split(/\r?\n/).find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return line === undefined ? null : line.slice(name.length + 1).trim();
  },
});

/** The mails of a service that has its own mail server. */
export class Notified {
  private constructor(
    readonly server: TestMailServer,
    readonly url: string,
  ) {}

  static async start(): Promise<Notified> {
    const server = await startMailServer();
    return new Notified(server, `smtp://any:word@127.0.0.1:${server.port}`);
  }

  /** The mails since the last call, by recipient, once no job for them is left. Without mails about memberships. */
  async mails(api: TestApi): Promise<ToldMail[]> {
    return (await this.all(api)).filter(({ content }) => !content.includes('about your own membership'));
  }

  /** The mails since the last call, including those about memberships. */
  async all(api: TestApi): Promise<ToldMail[]> {
    await until(async () => {
      const [row] = await api.sql<{ left: number }>(
        `select count(*)::int as left from background_jobs where name like 'notifications.%' and state in ('pending', 'handed', 'running')
           and dedupe_key is distinct from 'schedule'`,
      );
      return row?.left === 0;
    });
    // Account notices, such as for new keys, are sent in another way and at another time.
    const mails = this.server.mails
      .splice(0)
      .map(told)
      .filter((mail) => mail.header('List-Id') !== null);
    return mails.sort((one, other) => one.to.localeCompare(other.to));
  }

  /** Recipients of the mails. */
  async readers(api: TestApi): Promise<string[]> {
    return (await this.mails(api)).map(({ to }) => to);
  }

  close(): Promise<void> {
    return this.server.close();
  }
}
