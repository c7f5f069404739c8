import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readEvent } from './shown-event.js';

const read = (event: unknown): ReturnType<typeof readEvent> => readEvent(JSON.stringify(event));

const frame = {
  filename: 'src/shop.js',
  abs_path: '/app/src/shop.js',
  function: 'Cart.total',
  lineno: 12,
  colno: 5,
  in_app: true,
  pre_context: ['a', '  b'],
  context_line: '  throw new Error()',
  post_context: ['c'],
};

describe('an event', () => {
  it('shows the last exception first, and its frames from the innermost on', () => {
    const { exceptions, message } = read({
      exception: {
        values: [
          { type: 'RangeError', value: 'too far' },
          {
            type: 'CartError',
            value: 'no total',
            stacktrace: { frames: [{ function: 'main', lineno: null }, frame] },
          },
        ],
      },
    });
    expect(message).toBeNull();
    expect(exceptions).toEqual([
      {
        type: 'CartError',
        value: 'no total',
        frames: [
          {
            function: 'Cart.total',
            file: 'src/shop.js',
            line: 12,
            column: 5,
            isOwn: true,
            lines: [
              { number: 10, text: 'a', isCurrent: false },
              { number: 11, text: '  b', isCurrent: false },
              { number: 12, text: '  throw new Error()', isCurrent: true },
              { number: 13, text: 'c', isCurrent: false },
            ],
          },
          { function: 'main', file: null, line: null, column: null, isOwn: false, lines: [] },
        ],
      },
      { type: 'RangeError', value: 'too far', frames: [] },
    ]);
  });

  it('shows the origin of a message that was not thrown', () => {
    const stacktrace = { frames: [frame] };
    for (const event of [
      { exception: { values: [{ value: 'Low', stacktrace }] } },
      { threads: { values: [{ id: 1 }, { id: 2, crashed: false, stacktrace }] } },
    ]) {
      const { exceptions } = read({ message: 'Low', ...event });
      expect(exceptions).toMatchObject([{ type: null, frames: [{ function: 'Cart.total' }] }]);
    }
  });

  it.each([
    [{ message: 'plain' }, 'plain'],
    [{ message: { formatted: 'made of 3', message: 'made of {0}' } }, 'made of 3'],
    [{ logentry: { message: 'a template' }, message: 'other' }, 'a template'],
    [{ message: '   ' }, null],
    [{ message: ['x'] }, null],
    [[], null],
    [null, null],
  ])('of %j has the message %j', (event, message) => {
    expect(read(event).message).toBe(message);
  });

  it('accepts tags as an object or as pairs, and shows the last breadcrumbs first', () => {
    const tags = [
      ['os', 'linux'],
      ['tries', '3'],
    ];
    expect(read({ tags: { os: 'linux', tries: 3, deep: {} } }).tags).toEqual(tags);
    expect(read({ tags: [...tags, 'odd', [1]] }).tags).toEqual(tags);
    const crumbs = [{ category: 'http', level: 'info', message: 'GET /' }, 7, { category: 'ui.click' }];
    for (const breadcrumbs of [crumbs, { values: crumbs }])
      expect(read({ breadcrumbs }).breadcrumbs).toEqual([
        { category: 'ui.click', level: null, message: null },
        { category: 'http', level: 'info', message: 'GET /' },
      ]);
  });

  it('shows the user and the context', () => {
    const { facts } = read({
      user: { email: 'jane@example.com', ip_address: '10.0.0.1' },
      request: { method: 'GET', url: 'https://shop.example/cart' },
      sdk: { name: 'sentry.javascript.node', version: '9.0.0' },
      contexts: { runtime: { name: 'node', version: 'v20' }, os: null },
    });
    expect(facts).toEqual([
      ['Request', 'GET https://shop.example/cart'],
      ['User', 'jane@example.com'],
      ['Runtime', 'node v20'],
      ['SDK', 'sentry.javascript.node 9.0.0'],
    ]);
  });

  it('contains no characters that hide or reverse neighboring text', () => {
    expect(read({ message: 'a\u0007b\u202ec\u2066d\te\nf' }).message).toBe(
      'a\u{fffd}b\u{fffd}c\u{fffd}d\te\nf',
    );
    expect(read({ message: 'x\ud800y' }).message).toBe('x\u{fffd}y');
  });

  it('has a limited size, whatever is sent', () => {
    const many = Array.from({ length: 300 }, () => ({
      type: 'T'.repeat(9_999),
      stacktrace: { frames: Array.from({ length: 10 }, () => frame) },
    }));
    const { exceptions, message } = read({ exception: { values: many }, message: 'm'.repeat(1_000_000) });
    expect(exceptions).toHaveLength(20);
    expect(exceptions[0]?.type).toHaveLength(201);
    expect(message).toHaveLength(2_001);
    expect(read({ exception: [{ stacktrace: { frames: many } }] }).exceptions[0]?.frames).toHaveLength(100);
  });

  it('is shown without an error, whatever it contains', () => {
    const names = fc.constantFrom(
      ...[
        'exception',
        'values',
        'threads',
        'stacktrace',
        'frames',
        'logentry',
        'message',
        'tags',
        'user',
        'request',
        'contexts',
      ],
      ...[
        'breadcrumbs',
        'sdk',
        'lineno',
        'context_line',
        'pre_context',
        'post_context',
        '__proto__',
        'constructor',
      ],
    );
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue(),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.array(fc.tuple(names, tie('tree')), { maxLength: 6 }).map((pairs) => Object.fromEntries(pairs)),
      ),
    }));
    fc.assert(
      fc.property(
        fc.oneof(
          tree.map((value) => JSON.stringify(value)),
          fc.string(),
        ),
        (payload) => {
          const event = readEvent(payload);
          const texts = JSON.stringify(event);
          expect(texts.isWellFormed()).toBe(true);
          for (const { type, frames } of event.exceptions)
            expect([type === null || typeof type === 'string', Array.isArray(frames)]).toEqual([true, true]);
          for (const [name, value] of [...event.tags, ...event.facts])
            expect([typeof name, typeof value]).toEqual(['string', 'string']);
        },
      ),
      { numRuns: 500 },
    );
  });
});
