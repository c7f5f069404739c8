import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { until } from './until.js';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly content: string;
}

/** Errors of a test mail server. */
export interface Misbehaviour {
  /** Responds to the next recipient with this code. */
  refuseOnce?: number;
  /** Responds to the next sender with this code. */
  refuseSenderOnce?: number;
  /** Accepts the next mail and disconnects before it confirms. */
  loseAnswerOnce?: boolean;
  /** Responds with 550 to this recipient. */
  readonly unknown?: string;
  /** Responds to no recipient before this. */
  readonly hold?: Promise<void>;
  /** Confirms no mail that it has received before this. */
  readonly holdConfirmation?: Promise<void>;
  /** Confirms each mail only after this. */
  readonly confirmAfter?: () => Promise<void>;
}

/** A mail server on a free port that stores the mails that it receives. */
export interface TestMailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Recipients that were asked for, in order. */
  readonly asked: string[];
  behave(next: Misbehaviour): void;
  close(): Promise<void>;
}

/** Starts a mail server without TLS that accepts any password. */
export async function startMailServer(): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const asked: string[] = [];
  let behaviour: Misbehaviour = {};
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: (_auth, _session, done) => done(null, { user: 'any' }),
    onMailFrom: (_address, _session, done) => {
      const code = behaviour.refuseSenderOnce;
      delete behaviour.refuseSenderOnce;
      done(code === undefined ? null : Object.assign(new Error('Not from you'), { responseCode: code }));
    },
    onRcptTo: ({ address }, _session, done) => {
      asked.push(address);
      const answer = (): void => {
        const code = address === behaviour.unknown ? 550 : behaviour.refuseOnce;
        if (code === undefined) {
          done();
          return;
        }
        delete behaviour.refuseOnce;
        done(Object.assign(new Error(`No mail for ${address}`), { responseCode: code }));
      };
      if (behaviour.hold) void behaviour.hold.then(answer);
      else answer();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const content = Buffer.concat(chunks).toString('utf8');
        mails.push({ from, to: rcptTo.map(({ address }) => address), content });
        if (behaviour.loseAnswerOnce !== true) {
          void Promise.resolve(behaviour.confirmAfter?.() ?? behaviour.holdConfirmation).then(() => done());
          return;
        }
        delete behaviour.loseAnswerOnce;
        for (const connection of server.connections) connection.close();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    asked,
    behave: (next) => (behaviour = { ...next }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A message with decoded quoted-printable and base64 parts. */
export function decoded(message: string): string {
  return message
    .split(/(?=\r?\n--)/)
    .map((part) => {
      const [head = '', ...rest] = part.split(/\r?\n\r?\n/);
      const body = rest.join('\n\n');
      if (/transfer-encoding: base64/i.test(head)) return head + Buffer.from(body, 'base64').toString('utf8');
      if (!/transfer-encoding: quoted-printable/i.test(head)) return part;
      const bytes = body
        .replaceAll(/=\r?\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
      return `${head}\n\n${Buffer.from(bytes, 'latin1').toString('utf8')}`;
    })
    .join('');
}

const LINK = /^http:\/\/forgeplane\.test(\/\S+)\r?$/m;

const toLine = (mail: string): string | undefined => /^To: (.*?)\r?$/m.exec(mail)?.[1]?.toLowerCase();

/** Mails that a service has written to files, oldest first, in readable form. */
export class MailFolder {
  constructor(private readonly dataDir: string) {}

  /** All mails to an address, case-insensitively. */
  to(address: string): string[] {
    const folder = join(this.dataDir, 'mail');
    let names: string[];
    try {
      names = readdirSync(folder).filter((name) => name.endsWith('.eml') && !name.startsWith('.'));
    } catch {
      return [];
    }
    return names
      .sort()
      .map((name) => decoded(readFileSync(join(folder, name), 'utf8')))
      .filter((mail) => toLine(mail) === address.toLowerCase());
  }

  /** Waits for mail number `count` with a link to an address and returns the path of the link. */
  async linkTo(address: string, count = 1): Promise<string> {
    const links = (): string[] => this.to(address).flatMap((mail) => LINK.exec(mail)?.[1] ?? []);
    await until(() => links().length >= count);
    return links()[count - 1] ?? '';
  }
}
