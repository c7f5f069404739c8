import { describe, expect, it } from '@jest/globals';
import { MAX_KEPT_CONTENT, readAnswer, type KeptQuestion } from './kept-answer.js';

const ID = '0123456789'.repeat(4);
const info = (name: string): KeptQuestion => ({ command: 'info', name });
const contents = (name: string): KeptQuestion => ({ command: 'contents', name });

describe('a response of git', () => {
  it.each<[string, KeptQuestion, string]>([
    ['the type of an object', info('main'), `${ID} commit 12\n`],
    ['the content of an object, including line ends', contents('main'), `${ID} blob 5\na\nb\n\n\n`],
    ['empty content', contents('main'), `${ID} blob 0\n\n`],
    ['a missing object', info('main^{commit}'), 'main^{commit} missing\n'],
    ['a missing object whose name contains line ends', info('a\nb é'), 'a\nb é missing\n'],
  ])('is parsed as %s once it is complete', (_, question, text) => {
    const whole = Buffer.from(text);
    for (let length = 0; length < whole.length; length += 1)
      expect(readAnswer(whole.subarray(0, length), question)).toBeNull();
    const answer = readAnswer(Buffer.concat([whole, Buffer.from('next')]), question);
    expect(answer).toMatchObject({ length: whole.length });
  });

  it.each([
    ['an error message', info('a'), `error: object file is empty\n${ID} commit 12\n`],
    ['more than one object', info('a'), 'a ambiguous\n'],
    ['a response to something else', info('a'), 'b missing\n'],
    ['a line without end', info('a'), 'x'.repeat(1_000)],
    ['content longer than declared', contents('a'), `${ID} blob 1\nabc\n`],
    ['content that is too large', contents('a'), `${ID} blob ${MAX_KEPT_CONTENT + 1}\n`],
  ])('is rejected if it is %s', (_, question, text) => {
    expect(readAnswer(Buffer.from(text), question)).toBe('strange');
  });
});
