import { describe, expect, it } from '@jest/globals';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readJunit, type ReadReport } from './read-junit.js';

const FAILING = '<testsuite><testcase name="\u00fc"><failure>no</failure></testcase></testsuite>';

const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>${FAILING}`;

const read = (report: string | Buffer): ReadReport => readJunit(gzipSync(report));

const namesIn = ({ cases }: ReadReport): string[] =>
  (JSON.parse(gunzipSync(cases).toString()) as { name: string }[]).map(({ name }) => name);

/** Text in UTF-16 whose characters begin with their higher byte. */
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('a JUnit report', () => {
  it.each([
    ['in UTF-8', FAILING],
    ['in UTF-8 with a mark', `\ufeff${declared('UTF-8')}`],
    ['in UTF-16 with a mark', Buffer.from(`\ufeff${declared('utf-16')}`, 'utf16le')],
    ['in UTF-16 without one', Buffer.from(declared('UTF-16LE'), 'utf16le')],
    ['in UTF-16 of the other order', bigEndian(`\ufeff${declared('UTF-16')}`)],
    ['in UTF-16 of the other order without a mark', bigEndian(declared('UTF-16BE'))],
    ['in Latin-1', Buffer.from(declared('ISO-8859-1'), 'latin1')],
    ['in UTF-8 that says to be UTF-16', declared('utf-16')],
    ['in UTF-8 of an unknown encoding', declared('x-none')],
  ])('is read %s', (_, report) => {
    const found = read(report);
    expect(found).toMatchObject({ counts: { total_count: 1, failed_count: 1 }, error: null });
    expect(namesIn(found)).toEqual(['\u00fc']);
  });

  it('is shown without halves of characters', () => {
    const face = '\u{1f600}';
    expect(namesIn(read(`<testcase name="${'x'.repeat(999)}${face}"/><testcase name="&#xd83d;"/>`))).toEqual([
      `${'x'.repeat(999)}\ufffd`,
      '\ufffd',
    ]);
  });

  it('says so if it has more tests than are shown', () => {
    expect(read('<testcase/>'.repeat(10_000))).toMatchObject({
      counts: { total_count: 10_000 },
      error: null,
    });
    const more = read(`${'<testcase/>'.repeat(10_000)}<testcase><failure/></testcase>`);
    expect(more).toMatchObject({ counts: { total_count: 0 }, error: expect.stringContaining('10000 tests') });
    expect(namesIn(more)).toEqual([]);
  });
});
