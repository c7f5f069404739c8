import { describe, expect, it } from '@jest/globals';
import { insertNotice } from './notice.js';
import { packet } from './git-command.js';

const WORDS = packet('\u0002moved\n').toString();
const pack = packet('\u0001PACK....').toString();
const progress = packet('\u0002Counting\n').toString();

/** Returns the result if `text` comes in chunks of `size` bytes. */
function through(text: string, size: number): string {
  const insert = insertNotice('moved');
  let out = '';
  for (let at = 0; at < text.length; at += size)
    out += insert(Buffer.from(text.slice(at, at + size), 'latin1')).toString('latin1');
  return out;
}

describe('a notice for the user', () => {
  it.each([
    ['protocol 2', packet('packfile\n').toString(), `${progress}${pack}0000`],
    ['protocol 0', packet('NAK\n').toString(), `${pack}${progress}0000`],
    [
      'shallow',
      `${packet(`shallow ${'1'.repeat(40)}`).toString()}0000${packet('NAK\n').toString()}`,
      `${pack}0000`,
    ],
  ])('is sent before the first band, however the data is divided: %s', (_name, before, after) => {
    for (let size = 1; size <= 40; size += 1)
      expect([size, through(before + after, size)]).toEqual([size, before + WORDS + after]);
  });

  it.each([
    ['a list of refs', `${packet(`${'1'.repeat(40)} refs/heads/main\n`).toString()}0000`],
    ['a pack without bands', `${packet('NAK\n').toString()}PACK\u0000\u0000\u0000\u0002`],
    ['nothing', '0000'],
  ])('is not sent in %s', (_name, text) => {
    for (let size = 1; size <= 40; size += 1) expect([size, through(text, size)]).toEqual([size, text]);
  });
});
