import { describe, expect, it } from '@jest/globals';
import { MAX_KEPT_CONTENT, readAnswer, type KeptQuestion } from './kept-answer.js';

const ID = '0123456789'.repeat(4);
const info = (name: string): KeptQuestion => ({ command: 'info', name });
const contents = (name: string): KeptQuestion => ({ command: 'contents', name });

describe('a response of git', () => {
  it.each<[string, KeptQuestion, string]>([
    ['what an object is', info('main'), `${ID} commit 12\n`],
    ['what it holds, line ends and all', contents('main'), `${ID} blob 5\na\nb\n\n\n`],
    ['that it holds nothing', contents('main'), `${ID} blob 0\n\n`],
    ['that it is missing', info('main^{commit}'), 'main^{commit} missing\n'],
    ['that it is missing whose name has line ends', info('a\nb é'), 'a\nb é missing\n'],
  ])('is parsed as %s once it is complete', (_, question, text) => {
    const whole = Buffer.from(text);
    for (let length = 0; length < whole.length; length += 1)
      expect(readAnswer(whole.subarray(0, length), question)).toBeNull();
    const answer = readAnswer(Buffer.concat([whole, Buffer.from('next')]), question);
    expect(answer).toMatchObject({ length: whole.length });
  });

  it.each([
    ['a complaint', info('a'), `error: object file is empty\n${ID} commit 12\n`],
    ['more than one object', info('a'), 'a ambiguous\n'],
    ['an answer to something else', info('a'), 'b missing\n'],
    ['a line without end', info('a'), 'x'.repeat(1_000)],
    ['content that is longer than said', contents('a'), `${ID} blob 1\nabc\n`],
    ['content that is too large', contents('a'), `${ID} blob ${MAX_KEPT_CONTENT + 1}\n`],
  ])('is rejected if it is %s', (_, question, text) => {
    expect(readAnswer(Buffer.from(text), question)).toBe('strange');
  });
});
