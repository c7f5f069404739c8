import { describe, expect, it } from '@jest/globals';
import { problemTexts } from './problem-texts.js';

describe('texts of problems', () => {
  it('contain the errors of every attribute, however deeply nested', () => {
    const message = {
      email: ['is invalid', 'is taken'],
      base: 'no',
      entities: { url: { port: ['is empty'] } },
    };
    expect([...problemTexts(message)]).toEqual([
      ['email', 'is invalid'],
      ['email', 'is taken'],
      ['base', 'no'],
      ['entities[url][port]', 'is empty'],
    ]);
    expect([...problemTexts('409 Conflict')]).toEqual([['', '409 Conflict']]);
    expect([...problemTexts({})]).toEqual([]);
  });
});
