import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packet } from '../packs/git-command.js';
import { PushReport } from './push-report.js';

const FLUSH = Buffer.from('0000');
const band = (number: number, content: Buffer | string): Buffer => {
  const length = 5 + Buffer.byteLength(content);
  const head = Buffer.from(`${length.toString(16).padStart(4, '0')}${String.fromCharCode(number)}`);
  return Buffer.concat([head, Buffer.from(content)]);
};
const commands = (capabilities: string): Buffer =>
  Buffer.concat([packet(`${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/a\0 ${capabilities}`), FLUSH]);

const REPORT = Buffer.concat([
  packet('unpack ok\n'),
  packet('ok refs/heads/a b\n'),
  packet('ng refs/heads/c hook declined\n'),
  packet('ok refs/tags/ä\n'),
  FLUSH,
]);
const WORDS = band(2, 'remote words\n');
const ALIVE = band(1, '');

/** Passes bytes in chunks that end at these offsets. */
function pass(report: PushReport, bytes: Buffer, ends: readonly number[]): Buffer {
  const cuts = [...new Set(ends.map((end) => end % bytes.length))].sort((a, b) => a - b);
  const pieces = [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
  return Buffer.concat(pieces.map((piece) => report.take(piece)));
}

describe('the report of a push', () => {
  it('is held back and parsed, wherever it is divided', () => {
    const half = REPORT.subarray(0, 20);
    const rest = REPORT.subarray(20);
    const late = band(2, 'late\n');
    const said = Buffer.concat([WORDS, ALIVE, band(1, half), late, band(1, rest), FLUSH]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (ends) => {
        const report = new PushReport(commands('report-status side-band-64k agent=git/2'));
        const passed = pass(report, said, ends);
        expect(passed).toEqual(Buffer.concat([WORDS, ALIVE]));
        expect([...(report.changed() ?? [])]).toEqual(['refs/heads/a b', 'refs/tags/ä']);
        expect(report.release(['hello'])).toEqual(
          Buffer.concat([band(2, 'hello\n'), said.subarray(passed.length)]),
        );
      }),
    );
  });

  it('is held back completely without bands, and then sent without messages', () => {
    const report = new PushReport(commands('report-status-v2'));
    expect(pass(report, REPORT, [7])).toEqual(Buffer.alloc(0));
    expect(report.changed()?.size).toBe(2);
    expect(report.release(['hello'])).toEqual(REPORT);
  });

  it('contains no changes if it is truncated, or was not requested', () => {
    const cut = new PushReport(commands('report-status side-band-64k'));
    cut.take(band(1, REPORT.subarray(0, -4)));
    expect(cut.changed()).toBeNull();
    const unwanted = new PushReport(commands('side-band-64k'));
    unwanted.take(Buffer.concat([WORDS, FLUSH]));
    expect(unwanted.changed()).toBeNull();
    expect(unwanted.release([])).toEqual(FLUSH);
  });
});
