import { randomUUID } from 'node:crypto';
import type { Chance } from '../hostile/chance.js';

/** What the specification makes of an event, said beside the event itself. */
export interface ToldEvent {
  /** 32 digits; null if the sender gave none. */
  readonly id: string | null;
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly actor: string | null;
  readonly level: string;
  readonly platform: string | null;
  readonly environment: string | null;
  readonly release: string | null;
  readonly user: string | null;
  /** Milliseconds since 1970; null for the time of receipt. */
  readonly at: number | null;
  /** A word in the payload by which the test knows it. */
  readonly mark: string;
}

/** An event as an SDK sends it, and what is to be told of it. */
export interface DrawnEvent {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly told: ToldEvent;
}

/** Values as sent, with what they mean. */
type Meant<T> = readonly [sent: unknown, meant: T];

const LEVELS: readonly Meant<string>[] = [
  [undefined, 'error'],
  [null, 'error'],
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['error', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['log', 'info'],
  ['info', 'info'],
  ['debug', 'debug'],
  ['loud', 'error'],
  [7, 'error'],
];
const PLATFORMS: readonly Meant<string | null>[] = [
  ['node', 'node'],
  ['node', 'node'],
  ['node', 'node'],
  ['node', 'node'],
  ['python', 'python'],
  [undefined, null],
  [null, null],
  ['', null],
];
const NAMES: readonly Meant<string | null>[] = [
  ['production', 'production'],
  ['1.0\u0000.1', '1.0.1'],
  [undefined, null],
  [null, null],
  ['', null],
];
const USERS: readonly Meant<string | null>[] = [
  [undefined, null],
  [null, null],
  ['ada', null],
  [{}, null],
  [{ id: 1, email: 'a@example.com' }, 'id 1'],
  [{ id: '1' }, 'id 1'],
  [{ id: '', email: 'a@example.com' }, 'email a@example.com'],
  [{ email: 'a@example.com', ip_address: '10.0.0.1' }, 'email a@example.com'],
  [{ username: '1' }, 'username 1'],
  [{ ip_address: '10.0.0.1' }, 'ip_address 10.0.0.1'],
  [{ id: null, ip_address: '{{auto}}' }, null],
];
const TRANSACTIONS: readonly Meant<string | null>[] = [
  [undefined, null],
  ['', null],
  ['GET /cart', 'GET /cart'],
  ['GET  /\u0000shop', 'GET /shop'],
];

const HOUR = 3_600_000;

/** The time of an event in one of the forms of SDKs, or one that cannot be right. */
function drawTime(chance: Chance): Meant<number | null> {
  const at = Math.floor(Date.now() / 1000) * 1000 - chance.below(80 * 24) * HOUR - chance.below(3_600) * 1000;
  const iso = new Date(at).toISOString();
  const eastern = new Date(at + 5.5 * HOUR).toISOString().replace('Z', '+05:30');
  return chance.of<Meant<number | null>>([
    [at / 1000, at],
    [at / 1000 + 0.5, at + 500],
    [String(at / 1000), at],
    [iso, at],
    [iso.replace('Z', ''), at],
    [eastern, at],
    [undefined, null],
    ['yesterday', null],
    [Date.now() / 1000 + 900, null],
    [12, null],
    [null, null],
  ]);
}

/** What an event reports, and the parts of its key beside the platform. */
interface Report {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly description: string | null;
  readonly place: string | null;
  readonly key: readonly unknown[];
}

/** A raised exception after its cause, in a function of the application that a library has called. */
function drawFramed(chance: Chance): Report {
  const type = chance.of(['TypeError', 'Type_rror']);
  const value = `${type} number ${chance.below(100)}`;
  const [file, called] = [chance.of(['app.js', 'app.js', 'cart.js']), chance.of(['run', 'run', 'pay'])];
  const own = {
    filename: `${file}?v=${chance.below(9)}`,
    function: called,
    lineno: chance.below(99),
    in_app: true,
  };
  const foreign = (): object => ({ module: `lib${chance.below(9)}`, function: null, in_app: false });
  const frames = [
    foreign(),
    { ...own, function: 'main' },
    own,
    ...(chance.oneIn(2) ? [foreign(), null] : []),
  ];
  const raised = { type, value, stacktrace: { frames } };
  const values = [...(chance.oneIn(2) ? [{ type: 'Cause', value: 'before' }] : []), raised];
  return {
    sent: { exception: chance.oneIn(2) ? { values } : values },
    name: type,
    description: value,
    place: `${called}(${file})`,
    key: ['frame', type, file, called],
  };
}

/** An exception without a stack. */
function drawBare(chance: Chance, transaction: string | null): Report {
  const type = chance.of(['KeyError', null]);
  const [what, number] = [chance.of(['no such row', 'lost 50%']), chance.below(100)];
  const value = `${what}: ${number}`;
  const least = value.replace(/\d+/g, '#');
  return {
    sent: { exception: { values: [{ type, value, stacktrace: null }] } },
    name: type ?? value,
    description: value,
    place: null,
    key: transaction === null ? ['value', type, least] : ['transaction', type, transaction],
  };
}

/** A message, with or without a template. */
function drawMessage(chance: Chance, level: string): Report {
  const template = chance.of(['Disk %s is full', 'Retrying']);
  const formatted = template.replace('%s', String(chance.below(5)));
  const logger = chance.of([undefined, 'shop.disk']);
  const entry = { message: template, formatted, params: [] };
  const [sent, text, groups] = chance.of([
    [{ logentry: entry }, formatted, template],
    [{ message: entry }, formatted, template],
    [{ logentry: { formatted } }, formatted, formatted],
    [{ message: formatted }, formatted, formatted],
    [{ message: `${formatted}\u0000` }, formatted, formatted],
    [{ logentry: entry, message: 'other' }, formatted, template],
  ] as const);
  return {
    sent: { ...sent, logger },
    name: groups,
    description: text,
    place: logger ?? null,
    key: ['message', level, groups],
  };
}

/** A fingerprint and the key that it makes of the default one. */
function drawFingerprint(chance: Chance, key: string): Meant<string> {
  return chance.of<Meant<string>>([
    ...Array.from({ length: 8 }, (): Meant<string> => [undefined, key]),
    [null, key],
    [[], key],
    [['{{ default }}'], key],
    [['{{default}}', ''], key],
    [['checkout'], 'print "checkout"'],
    ['checkout', 'print "checkout"'],
    [['checkout', 3], 'print "checkout" "3"'],
    [['{{ default }}', 'eu'], `print ${key} "eu"`],
  ]);
}

/** Draws an event, under a given id or none. */
export function drawEvent(chance: Chance, sentId: unknown, id: string | null): DrawnEvent {
  const mark = randomUUID();
  const [sentLevel, level] = chance.of(LEVELS);
  const [sentPlatform, platform] = chance.of(PLATFORMS);
  const [sentTransaction, transaction] = chance.of(TRANSACTIONS);
  const [sentEnvironment, environment] = chance.of(NAMES);
  const [sentRelease, release] = chance.of(NAMES);
  const [sentUser, user] = chance.of(USERS);
  const [timestamp, at] = drawTime(chance);
  const report = chance.of([
    () => drawFramed(chance),
    () => drawBare(chance, transaction),
    () => drawMessage(chance, level),
  ])();
  const [fingerprint, key] = drawFingerprint(chance, JSON.stringify([platform, ...report.key]));
  return {
    sent: {
      event_id: sentId,
      timestamp,
      level: sentLevel,
      platform: sentPlatform,
      transaction: sentTransaction,
      environment: sentEnvironment,
      release: sentRelease,
      user: sentUser,
      fingerprint,
      tags: { mark },
      ...report.sent,
    },
    told: {
      id,
      key,
      name: report.name,
      description: report.description,
      actor: transaction ?? report.place,
      level,
      platform,
      environment,
      release,
      user,
      at,
      mark,
    },
  };
}

/** An id in the forms of SDKs, and as it is shown. */
export function drawId(chance: Chance, known: readonly string[]): Meant<string | null> {
  const uuid = randomUUID();
  const id = uuid.replaceAll('-', '');
  return chance.of<Meant<string | null>>([
    [id, id],
    [id, id],
    [uuid, id],
    [id.toUpperCase(), id],
    [undefined, null],
    ['0'.repeat(32), null],
    ['new', null],
    ...(known.length > 0 ? [chance.of(known)].map((old): Meant<string> => [old, old]) : []),
  ]);
}
