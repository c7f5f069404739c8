import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mentionedNames } from './mentioned-names.js';

const namesIn = (text: string): string[] => [...mentionedNames(text).names];

describe('mentions in a text', () => {
  it('are names of users and groups after an at sign', () => {
    const text = '@Ada, (@bob.) see @group/sub-group: **@c_d** and @all!\n@e.f-';
    expect([namesIn(text), mentionedNames(text).all]).toEqual([
      ['ada', 'bob', 'group/sub-group', 'c_d', 'e.f'],
      true,
    ]);
  });

  it('are not found in addresses, code or comments', () => {
    const text = [
      'mail ada@example.com or a/@b and @@c',
      '`@code` and ``@more ` code`` but a lone ` @tick',
      '```',
      '@fenced',
      '```',
      '<!-- @hidden -->@shown',
    ].join('\n');
    expect(namesIn(text)).toEqual(['tick', 'shown']);
    expect(namesIn('```js\r\n@fenced\r\n```\r\n@shown\r\n')).toEqual(['shown']);
  });

  it('are limited to a hundred', () => {
    const text = Array.from({ length: 200 }, (_, index) => `@user${index}`).join(' ');
    expect(mentionedNames(text).names.size).toBe(100);
  });

  it('are found in a short time, whatever the text is', () => {
    const pieces = ['@', '`', '``', '<!--', '```\n', '~~~\n', '@a/', '\n\n', '-', '. '];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }), (unit) => {
        const started = performance.now();
        mentionedNames(`${unit.join('').repeat(20_000)} @end`);
        expect(performance.now() - started).toBeLessThan(10_000);
      }),
      { numRuns: 20 },
    );
    const started = performance.now();
    for (const end of ['\u2028', '\r']) mentionedNames(`${'`'.repeat(200_000)}${end} @end`);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
