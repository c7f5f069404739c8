import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventFacts, UNREADABLE, type EventFacts } from './event-facts.js';
import { anyCharacter } from '../../../../../test/support/any-text.js';

const facts = (event: unknown, level = 'error'): EventFacts => eventFacts(JSON.stringify(event), level);
const keyOf = (event: unknown, level = 'error'): string => facts(event, level).groupKey;

const frame = (changes: object = {}): object => ({
  filename: 'app/cart.js',
  function: 'checkout',
  lineno: 7,
  in_app: true,
  ...changes,
});
const thrown = (changes: object = {}, frames: unknown = [frame()]): object => ({
  platform: 'node',
  exception: { values: [{ type: 'TypeError', value: 'x is undefined', stacktrace: { frames }, ...changes }] },
});

describe('facts of an exception', () => {
  it('are its type, message and location', () => {
    expect(facts(thrown())).toMatchObject({
      name: 'TypeError',
      description: 'x is undefined',
      actor: 'checkout(app/cart.js)',
      platform: 'node',
      userKey: null,
    });
    expect(facts({ ...thrown(), transaction: 'GET /cart' }).actor).toBe('GET /cart');
    expect(facts({ ...thrown(), transaction: '' }).actor).toBe('checkout(app/cart.js)');
    expect(facts(thrown({}, [frame({ module: 'cart' })])).actor).toBe('checkout(cart)');
    expect(facts(thrown({ type: null }))).toMatchObject({ name: 'x is undefined' });
    expect(facts(thrown({ type: null, value: null }))).toMatchObject({ name: 'Error', description: null });
  });

  it('are those of the raised exception, the last of the chain, in any form of the list', () => {
    const values = [{ type: 'KeyError', value: 'a' }, { type: 'ValueError', value: 'b' }, null];
    for (const exception of [{ values }, values, values[1]])
      expect(facts({ exception })).toMatchObject({ name: 'ValueError', description: 'b' });
  });

  it('are grouped by type and location, whatever the line and the message', () => {
    const key = keyOf(thrown());
    expect(keyOf(thrown({ value: 'y is undefined' }))).toBe(key);
    expect(keyOf(thrown({}, [frame({ lineno: 8, pre_context: ['a'] })]))).toBe(key);
    expect(keyOf({ ...thrown(), level: 'warning', release: '2', environment: 'test' }, 'warning')).toBe(key);
    expect(keyOf(thrown({}, [frame({ filename: 'app/cart.js?v=3#top' })]))).toBe(key);
    const others = [
      thrown({ type: 'RangeError' }),
      thrown({}, [frame({ function: 'pay' })]),
      thrown({}, [frame({ filename: 'app/pay.js' })]),
      { ...thrown(), platform: 'javascript' },
    ];
    expect(new Set([key, ...others.map((other) => keyOf(other))]).size).toBe(5);
  });

  it('are grouped by the last frame of the application, or the last frame of all', () => {
    const library = frame({ filename: 'lib/http.js', function: 'send', in_app: false });
    expect(keyOf(thrown({}, [frame(), library]))).toBe(keyOf(thrown()));
    expect(keyOf(thrown({}, [frame({ in_app: undefined }), library, null]))).toBe(
      keyOf(thrown({}, [library])),
    );
  });

  it('are grouped by transaction if there are no frames, otherwise by the message without numbers', () => {
    const bare = (value: string, transaction?: string): object => ({
      ...thrown({ value, stacktrace: null }),
      transaction,
    });
    expect(keyOf(bare('a', 'GET /'))).toBe(keyOf(bare('b', 'GET /')));
    expect(keyOf(bare('a', 'GET /'))).not.toBe(keyOf(bare('a', 'GET /x')));
    expect(keyOf(bare('order 17 of 0x3f is lost'))).toBe(keyOf(bare('order 1234 of 0xab is lost')));
    expect(keyOf(bare('order is lost'))).not.toBe(keyOf(bare('order is late')));
  });
});

describe('facts of a message', () => {
  it('are its template as name and its text as description, from every attribute where SDKs write it', () => {
    expect(facts({ message: 'Disk full' })).toMatchObject({ name: 'Disk full', description: 'Disk full' });
    const logentry = { message: 'Disk %s full', formatted: 'Disk sda full', params: ['sda'] };
    const expected = { name: 'Disk %s full', description: 'Disk sda full' };
    for (const event of [{ logentry }, { message: logentry }, { logentry, message: 'Disk sda full' }])
      expect(facts(event)).toMatchObject(expected);
  });

  it('are grouped by platform, level and template', () => {
    const said = (name: string, changes: object = {}): object => ({
      platform: 'node',
      logentry: { message: 'Disk %s full', formatted: `Disk ${name} full` },
      ...changes,
    });
    expect(keyOf(said('sda'))).toBe(keyOf(said('sdb')));
    expect(keyOf(said('sda'))).not.toBe(keyOf(said('sda'), 'warning'));
    expect(keyOf(said('sda'))).not.toBe(keyOf(said('sda', { platform: 'python' })));
    expect(keyOf({ message: 'a' })).not.toBe(keyOf({ message: 'b' }));
  });
});

describe('an explicit fingerprint', () => {
  it('determines the group alone, and includes the default key on request', () => {
    const other = thrown({ type: 'RangeError' });
    const printed = (fingerprint: unknown, event = thrown()): string => keyOf({ ...event, fingerprint });
    expect(printed(['a', 1])).toBe(printed(['a', '1'], other));
    expect(printed(['a', 'b'])).not.toBe(printed(['ab']));
    expect(printed(['{{ default }}'])).toBe(keyOf(thrown()));
    expect(printed(['{{default}}', 'a'])).not.toBe(printed(['{{ default }}', 'a'], other));
    expect(printed(['{{default}}', 'a'])).toBe(printed(['{{ default }}', 'a']));
    expect(printed(['default', 'a'])).not.toBe(printed(['{{ default }}', 'a']));
    for (const nothing of [[], null, '', [''], [{}], {}]) expect(printed(nothing)).toBe(keyOf(thrown()));
  });
});

describe('the user of an event', () => {
  it('is identified by id, else by its other values', () => {
    const key = (user: unknown): string | null => facts({ message: 'a', user }).userKey;
    expect(key({ id: 1, email: 'a@example.com' })).toBe(key({ id: '1', email: 'b@example.com' }));
    expect(key({ id: 1 })).not.toBe(key({ email: '1' }));
    expect(key({ id: '', email: 'a@example.com' })).toBe(key({ email: 'a@example.com' }));
    expect(key({ ip_address: '10.0.0.1' })).toMatch(/^[0-9a-f]{64}$/);
    for (const nobody of [null, {}, [], 'x', { ip_address: '{{auto}}' }, { id: {} }])
      expect(key(nobody)).toBe(null);
  });
});

/** Names that are read, so that hostile values reach the relevant code. */
const NAMES = [
  ...[
    'exception',
    'values',
    'type',
    'value',
    'stacktrace',
    'frames',
    'filename',
    'abs_path',
    'module',
    'function',
  ],
  ...[
    'in_app',
    'message',
    'logentry',
    'formatted',
    'fingerprint',
    'transaction',
    'user',
    'id',
    'email',
    'platform',
  ],
  ...['__proto__', 'constructor', 'toString', 'length'],
];
const WORDS = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 600 }),
  fc.constantFrom('\0', '\ud800', '😀'.repeat(300), 'x'.repeat(5_000), '{{ default }}', '\r\n', '<b>'),
);
const { value: HOSTILE } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    WORDS,
    fc.constantFrom(null, true, 0, -1, 1e308),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 6 }),
  ),
}));

describe('a hostile event', () => {
  it('always has facts that the database accepts', () => {
    const texts = ({ name, description, actor, platform }: EventFacts): (string | null)[] => [
      name,
      description,
      actor,
      platform,
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...NAMES), HOSTILE, { maxKeys: 8 }), (event) => {
        const found = facts(event);
        expect(found.groupKey).toMatch(/^[0-9a-f]{64}$/);
        expect(found.name).not.toBe('');
        for (const text of texts(found)) {
          if (text === null) continue;
          expect(text.isWellFormed() && !text.includes('\0') && text.trim() === text).toBe(true);
          expect(text.length).toBeLessThanOrEqual(text === found.description ? 2_000 : 255);
        }
        for (const line of [found.name, found.actor, found.platform])
          expect(line ?? '').not.toMatch(/[\r\n\t]/);
        expect(facts(event)).toEqual(found);
      }),
      { numRuns: 500 },
    );
    expect(Object.hasOwn(Object.prototype, 'exception')).toBe(false);
  });

  it('is unreadable or unknown if it is empty or not an object', () => {
    for (const payload of ['', 'x', '[]', '1', 'null', '"a"', '{"a":', '['.repeat(100_000)])
      expect(eventFacts(payload, 'error')).toBe(UNREADABLE);
    expect(facts({})).toMatchObject({ name: 'Unknown error' });
  });
});
