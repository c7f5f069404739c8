import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HttpError } from '#kernel/http/errors.js';
import { openEnvelope, type Envelope, type EnvelopeItem } from './envelope.js';

const LINE_FEED = 0x0a;

const open = (body: Buffer | string): Envelope => {
  const envelope = openEnvelope(Buffer.from(body));
  if (!envelope) throw new Error('This is not an envelope');
  return envelope;
};

const itemsOf = (body: Buffer | string): EnvelopeItem[] =>
  [...open(body).items].filter((item) => item !== null);

const textsOf = (body: Buffer | string): string[] => itemsOf(body).map(({ payload }) => payload.toString());

/** Returns an item as it is sent: its header line, payload and end. */
const written = (header: object, payload: Uint8Array, end = '\n'): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), payload, Buffer.from(end)]);

const HEADER = Buffer.from('{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n');

/** A JSON line, as SDKs send events. */
const line = fc
  .record({ message: fc.string(), n: fc.integer() })
  .map((event) => Buffer.from(JSON.stringify(event)));

const honest = fc.oneof(
  line.map((payload) => ({ payload, bytes: written({ type: 'event' }, payload) })),
  line.map((payload) => ({ payload, bytes: written({ type: 'event', length: payload.length }, payload) })),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => {
    const payload = Buffer.from(bytes);
    return { payload, bytes: written({ type: 'attachment', length: payload.length, x: '\n' }, payload) };
  }),
);

describe('envelopes', () => {
  it('are read as SDKs write them', () => {
    const body =
      '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","dsn":"https://e12d836b15bb49d7bbf99e64295d995b:@sentry.io/42"}\n' +
      '{"type":"attachment","length":10,"content_type":"text/plain","filename":"hello.txt"}\n\ufeffHello\r\n\n' +
      '{"type":"event","length":41,"content_type":"application/json","filename":"application.log"}\n' +
      '{"message":"hello world","level":"error"}\n';
    expect(open(body).header['event_id']).toBe('9ec79c33ec9942ab8353589fcb2e04dc');
    expect(itemsOf(body).map(({ type }) => type)).toEqual(['attachment', 'event']);
    expect(textsOf(body)).toEqual(['\ufeffHello\r\n', '{"message":"hello world","level":"error"}']);
    expect(textsOf(body.trimEnd())).toEqual(textsOf(body));
  });

  it('can have no items, empty ones, and CRLF line ends', () => {
    for (const body of ['{}', '{}\n', '{}\n\n\n']) expect(itemsOf(body)).toEqual([]);
    expect(textsOf('{}\n{"type":"a","length":0}\n\n{"type":"b"}\n\n{"type":"c"}')).toEqual(['', '', '']);
    expect(textsOf('{}\r\n{"type":"a","length":3}\r\nx\ny\r\n {"type":"b"}\r\nz\r\n')).toEqual([
      'x\ny',
      'z\r',
    ]);
  });

  it('require a JSON object in the first line', () => {
    for (const body of ['', '\n', ' ', '[]\n{}', '"text"', 'null', '1', '{', '\n{}', '{}{}', '\0'])
      expect([body, openEnvelope(Buffer.from(body))]).toEqual([body, null]);
    expect(openEnvelope(Buffer.from(`{"a":"${'x'.repeat(70_000)}"}`))).toBeNull();
  });

  it('preserve their content, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(honest, { maxLength: 12 }), fc.boolean(), (items, isOpen) => {
        const body = Buffer.concat([HEADER, ...items.map(({ bytes }) => bytes)]);
        const found = itemsOf(isOpen ? body.subarray(0, -1) : body);
        expect(found.map(({ payload }) => [...payload])).toEqual(items.map(({ payload }) => [...payload]));
      }),
    );
  });

  it('keep the other items if an item has a wrong length', () => {
    const lie = fc.oneof(
      fc.integer({ min: -5, max: 400 }),
      fc.integer(),
      fc.double(),
      fc.string(),
      fc.constantFrom(null, [], {}, true, 1e308, 2 ** 53),
    );
    fc.assert(
      fc.property(fc.array(honest), lie, line, fc.array(honest), (before, length, payload, after) => {
        const start = Buffer.concat([HEADER, ...before.map(({ bytes }) => bytes)]);
        const liar = written({ type: 'event', length }, payload);
        const body = Buffer.concat([start, liar, ...after.map(({ bytes }) => bytes)]);
        const end =
          start.length + liar.length - payload.length - 1 + (typeof length === 'number' ? length : 0.5);
        // A length that ends at a line end is accepted.
        fc.pre(end !== body.length && body[end] !== LINE_FEED && body[end] !== 0x0d);
        const expected = [...before.map((one) => one.payload), payload, ...after.map((one) => one.payload)];
        expect(itemsOf(body).map((item) => item.payload.toString('latin1'))).toEqual(
          expected.map((one) => one.toString('latin1')),
        );
      }),
    );
  });

  it('lose nothing that precedes the position where they were cut off', () => {
    fc.assert(
      fc.property(fc.array(honest, { minLength: 1 }), fc.nat(), (items, position) => {
        const body = Buffer.concat([HEADER, ...items.map(({ bytes }) => bytes)]);
        const cut = HEADER.length + (position % (body.length - HEADER.length + 1));
        let end = HEADER.length;
        const whole = items.filter(({ bytes }) => (end += bytes.length) <= cut + 1);
        const found = itemsOf(body.subarray(0, cut)).map(({ payload }) => payload.toString('latin1'));
        expect(found.slice(0, whole.length)).toEqual(whole.map(({ payload }) => payload.toString('latin1')));
      }),
    );
  });

  it('skip lines that are not items', () => {
    const event = '{"type":"event"}\n{"message":"m"}\n';
    const noise = fc.oneof(
      fc.string().map((text) => text.replaceAll(/[\n{]/g, '')),
      fc.constantFrom(
        '{',
        '{}',
        '{"type":1}',
        '{"type":null,"length":3}',
        '[{"type":"event"}]',
        '\0',
        '{"length":9}',
      ),
      fc.constantFrom('{"__proto__":{"type":"event"}}', '{"constructor":{"type":"event"}}'),
    );
    fc.assert(
      fc.property(fc.array(noise), fc.array(noise), (before, after) => {
        const body = `{}\n${before.map((one) => `${one}\n`).join('')}${event}${after.join('\n')}`;
        expect(textsOf(body)).toEqual(['{"message":"m"}']);
      }),
    );
  });

  it('either can be read or are refused, and every item lies within them', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('{}\n', '\n', '{"type":"event"}\n', '{"type":"x","length":7}\n', '{"type":"')
        .map((text) => Buffer.from(text)),
      fc.json().map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const body = Buffer.concat(pieces);
        const envelope = openEnvelope(body);
        let end = 0;
        for (const { payload } of [...(envelope?.items ?? [])].filter((item) => item !== null)) {
          const start = payload.byteOffset - body.byteOffset;
          if (payload.length > 0) expect(start).toBeGreaterThanOrEqual(end);
          end = Math.max(end, start + payload.length);
          expect(end).toBeLessThanOrEqual(body.length);
        }
      }),
    );
  });

  it('are limited to a thousand items, and are not read further', () => {
    const items = (count: number): string => `{}\n${'{"type":"s"}\n{}\n'.repeat(count)}`;
    expect(itemsOf(items(1_000))).toHaveLength(1_000);
    const read = (): unknown => itemsOf(items(1_000_000));
    expect(read).toThrow(HttpError);
    expect(read).toThrow('413');
    expect(itemsOf(`{}\n${'\n'.repeat(1_000_000)}{"type":"s"}\n{}`)).toHaveLength(1);
  });
});
