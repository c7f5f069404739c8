import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HttpError } from '#kernel/http/errors.js';
import { eventFacts } from '../../grouping/facts/event-facts.js';
import { occurredAt } from './occurred-at.js';
import { eventIdOf, readEvent, type SentEvent } from './sent-event.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const ID = '9ec79c33ec9942ab8353589fcb2e04dc';

const read = (value: unknown): SentEvent | null =>
  readEvent(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), NOW);

/** Returns the status of the refusal, 0 for none. */
const refusalOf = (value: unknown): number => {
  try {
    read(value);
    return 0;
  } catch (error) {
    if (error instanceof HttpError) return error.status;
    throw error;
  }
};

const exception = { values: [{ type: 'Error', value: 'boom' }] };

describe('events', () => {
  it('are accepted with an exception or a message, in all attributes that SDKs use', () => {
    for (const event of [
      { exception },
      { exception: [{ type: 'Error' }] },
      { message: 'm' },
      { message: '' },
      { message: { formatted: 'm' } },
      { logentry: { message: 'm %s', params: [1] } },
      { exception: null, message: 'm', transaction: '' },
      { exception: 'text', message: 'm' },
    ])
      expect([event, refusalOf(event)]).toEqual([event, 0]);
  });

  it('are refused if they are empty, or if a required text is not a text', () => {
    for (const event of [
      {},
      { exception: {} },
      { exception: { values: [] } },
      { exception: { values: 'text' } },
      { exception: 'text' },
      { exception: null, message: null, logentry: [] },
      { message: 1 },
      { message: 'm', platform: 1 },
      { message: 'm', platform: 'p'.repeat(256) },
      { message: 'm', environment: {} },
      { ['__proto__']: { message: 'm' } },
    ])
      expect([event, refusalOf(event)]).toEqual([event, 400]);
    expect(refusalOf({ message: 'm', platform: 'p'.repeat(255) })).toBe(0);
    expect(refusalOf('{"__proto__":{"message":"m"}}')).toBe(400);
    for (const text of ['', ' ', 'null', '"m"', '[]', '[{"message":"m"}]', '7', '{', '{"message":"m"', '\0'])
      expect([text, refusalOf(text)]).toEqual([text, 400]);
  });

  it('are refused if they are too large or too deep', () => {
    const mebibyte = (more: number): string => `{"message":"${'m'.repeat(1024 * 1024 - 14 + more)}"}`;
    expect(mebibyte(0)).toHaveLength(1024 * 1024);
    expect([refusalOf(mebibyte(0)), refusalOf(mebibyte(1))]).toEqual([0, 413]);
    const deep = (levels: number): string =>
      `{"message":"m","extra":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect([refusalOf(deep(99)), refusalOf(deep(100)), refusalOf(deep(200_000))]).toEqual([0, 400, 400]);
    expect(refusalOf(`{"message":"${'['.repeat(1000)}\\"${'{'.repeat(1000)}"}`)).toBe(0);
  });

  it('are ignored if they are transactions', () => {
    expect(read({ type: 'transaction', spans: [] })).toBeNull();
  });

  it('have a level, an environment and a release', () => {
    const event = { message: 'm', level: 'warn', environment: 'production', release: 'v1' };
    expect(read(event)).toMatchObject({
      level: 'warning',
      environment: 'production',
      release: 'v1',
      id: null,
    });
    expect(read({ exception, environment: '', release: 7, level: { a: 1 } })).toMatchObject({
      level: 'error',
      environment: null,
      release: null,
    });
    expect(read({ exception, level: 'constructor', release: 'r'.repeat(300) })).toMatchObject({
      level: 'error',
      release: 'r'.repeat(255),
    });
  });

  it('keep their JSON unchanged, except for NULs', () => {
    const text = '{ "message" : "m\\u00e4\\/", "event_id": "9EC79C33-ec99-42ab-8353-589fcb2e04dc" }';
    expect(read(text)).toMatchObject({ payload: text, id: ID });
    expect(read('{"message":"a\\u0000b\\\\u0000c\\\\\\u0000\0"}')?.payload).toBe(
      '{"message":"ab\\\\u0000c\\\\"}',
    );
    // Removing NULs must not create another NUL, or hide depth.
    expect(refusalOf('{"message":"m","environment":"a\\u00\\u000000b"}')).toBe(400);
    expect(refusalOf(`{"message":"x\\\0\\","extra":${'['.repeat(500)}${']'.repeat(500)}}`)).toBe(400);
    const unit = fc.constantFrom('\0', '\\', 'u', '0', '0000', '"', '\n', 'ä', '\ud800', 'x');
    fc.assert(
      fc.property(fc.string({ unit }), fc.string({ unit }), fc.nat(), (name, value, position) => {
        const event = { message: value, environment: value.toWellFormed(), extra: { [`k${name}`]: [value] } };
        const json = JSON.stringify(event);
        const at = position % json.length;
        const sent = read(`${json.slice(0, at)}\0${json.slice(at)}`);
        const clean = (one: string): string => one.replaceAll('\0', '');
        expect(JSON.parse(sent?.payload ?? '')).toEqual({
          message: clean(value),
          environment: clean(value.toWellFormed()),
          extra: { [`k${clean(name)}`]: [clean(value)] },
        });
        expect(sent?.environment ?? '').toBe(clean(value.toWellFormed()));
        expect(sent?.payload).not.toMatch(/\0/);
      }),
    );
  });

  it('are read or refused, whatever they are', () => {
    const known = fc.constantFrom(
      ...[
        'message',
        'exception',
        'logentry',
        'level',
        'platform',
        'environment',
        'release',
        'timestamp',
        'type',
      ],
      'event_id',
      '__proto__',
    );
    const hostile = fc.dictionary(
      known,
      fc.oneof(fc.jsonValue(), fc.constantFrom('m', '\0', 1e308, -1, 'transaction')),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          hostile.map((one) => JSON.stringify(one)),
          fc.json(),
          fc.string(),
        ),
        (text) => {
          const status = refusalOf(text);
          expect([0, 400]).toContain(status);
          const sent = status === 0 ? read(text) : null;
          if (!sent) return;
          expect([sent.environment, sent.release, sent.level, sent.payload].join('')).not.toMatch(/\0/);
          if (sent.facts) expect(sent.facts).toEqual(eventFacts(sent.payload, sent.level));
          expect(sent.occurredAt.getTime()).toBeLessThanOrEqual(NOW.getTime());
          expect(NOW.getTime() - sent.occurredAt.getTime()).toBeLessThanOrEqual(90 * 86_400_000);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('facts of events', () => {
  it('equal those of the stored payload, and are left to grouping for unexpected types', () => {
    const sent = read({ exception, level: 'warning', user: { id: 1 } });
    expect(sent?.facts).toEqual(eventFacts(sent?.payload ?? '', 'warning'));
    expect(sent?.facts).toMatchObject({ name: 'Error', description: 'boom' });
    expect(read({ exception, user: { 'i\0d': 1 } })?.facts).toBe(null);
  });
});

describe('ids of events', () => {
  it('are 32 hexadecimal digits, and not all zero', () => {
    expect(eventIdOf(ID)).toBe(ID);
    expect(eventIdOf('9EC79C33-EC99-42AB-8353-589FCB2E04DC')).toBe(ID);
    for (const value of [
      undefined,
      null,
      1,
      {},
      '',
      'x',
      `${ID}0`,
      ID.slice(1),
      '0'.repeat(32),
      `${ID}----`,
      `${ID}\n`,
    ])
      expect([value, eventIdOf(value)]).toEqual([value, null]);
  });
});

describe('times of events', () => {
  it('are read in the forms that SDKs send', () => {
    for (const timestamp of [
      1772365500.25,
      '1772365500.25',
      '2026-03-01T11:45:00.250000Z',
      '2026-03-01T11:45:00.250',
      '2026-03-01T12:45:00.250+01:00',
    ])
      expect([timestamp, occurredAt(timestamp, NOW).toISOString()]).toEqual([
        timestamp,
        '2026-03-01T11:45:00.250Z',
      ]);
  });

  it('default to the time of arrival', () => {
    for (const timestamp of [
      undefined,
      null,
      {},
      [],
      true,
      '',
      'yesterday',
      NaN,
      1e300,
      -1,
      0,
      1772366401,
      '2026-03-01T12:00:01Z',
      '2025-11-01T00:00:00Z',
      '+275760-09-13T00:00:00Z',
      '9'.repeat(400),
    ])
      expect([timestamp, occurredAt(timestamp, NOW)]).toEqual([timestamp, NOW]);
  });
});
