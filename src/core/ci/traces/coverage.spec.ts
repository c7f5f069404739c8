import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { coverageIn } from './coverage.js';

describe('the coverage of a trace', () => {
  it.each([
    ['Coverage: 12.5%', '/Coverage: \\d+\\.\\d+/', 12.5],
    ['Coverage: 12.5%', 'Coverage: (\\d+\\.\\d+)', 12.5],
    ['lines 90% functions 80%\nstatements 70%', '/(?:lines|functions) (\\d+)%/', 80],
    ['total 10%\ntotal 20%\r\nbye', '/total (\\d+)/', 20],
    ['\u001b[32mtotal 33.3%\u001b[0m', '/^total \\d+/', 33],
    ['total none', '/total/', null],
    ['nothing', '/total (\\d+)/', null],
    ['total 5', '/total (\\d+/', null],
    ['total 5', '', null],
    ['total 5', '//', null],
  ])('%j read by %j is %s', (trace, pattern, coverage) => {
    expect(coverageIn({ end: trace, pattern })).toBe(coverage);
  });

  it('is found whatever else the trace contains, and null if the pattern cannot match', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(100), (noise, percent) => {
        const trace = `${noise}\nTOTAL: ${percent}%\n${noise.replaceAll('TOTAL', '')}`;
        expect(coverageIn({ end: trace, pattern: '/TOTAL: (\\d+)%/' })).toBe(percent);
      }),
      { numRuns: 50 },
    );
  });

  it('takes time proportional to the trace', () => {
    const start = performance.now();
    const end = `${'a'.repeat(4000)}\n`.repeat(100);
    expect(coverageIn({ end, pattern: '/(a+)+b(\\d)/' })).toBeNull();
    expect(performance.now() - start).toBeLessThan(4_000);
  });
});
