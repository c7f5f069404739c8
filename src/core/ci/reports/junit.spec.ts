import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJunit } from './junit.js';

const REPORT = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>
<testsuites><!-- <testcase name="not me"/> --><testsuite name="s">
<testcase classname="a.B" name="works &lt;well&gt; &#65;" time="0.5" file="b.ts"/>
<testcase name='says "1 > 0"' time="1"><failure message="no">expected <![CDATA[<1>]]></failure></testcase>
<testcase name="skips"><skipped/></testcase>
<testcase name="breaks" time="x"><error>stack</error><system-out>noise</system-out></testcase>
</testsuite></testsuites>`;

describe('the parser of JUnit reports', () => {
  it('returns each test with its result', () => {
    expect(parseJunit(REPORT, 10)).toEqual([
      { status: 'success', name: 'works <well> A', classname: 'a.B', file: 'b.ts', time: 0.5, output: null },
      {
        status: 'failed',
        name: 'says "1 > 0"',
        classname: '',
        file: null,
        time: 1,
        output: 'expected <1>',
      },
      { status: 'skipped', name: 'skips', classname: '', file: null, time: 0, output: null },
      { status: 'error', name: 'breaks', classname: '', file: null, time: 0, output: 'stack' },
    ]);
    expect(parseJunit(REPORT + REPORT, 6)).toHaveLength(6);
  });

  it('shows a failure whatever else a test contains', () => {
    const of = (parts: string): unknown =>
      parseJunit(`<testcase name="a">${parts}</testcase>`, 1).map(({ status, output }) => [status, output]);
    expect(of('<failure>no</failure><skipped>rest</skipped>')).toEqual([['failed', 'no']]);
    expect(of('<skipped>rest</skipped><failure>no</failure>')).toEqual([['failed', 'no']]);
    expect(of('<failure>no</failure><error>stack</error>')).toEqual([['failed', 'no']]);
    expect(of('<skipped/><error>stack</error>')).toEqual([['error', 'stack']]);
  });

  it('accepts any text, in time proportional to its size', () => {
    const part = fc.constantFrom(
      '<testcase',
      ' name="a"',
      '=',
      '"',
      "'",
      '>',
      '/>',
      '<![CDATA[',
      ']]>',
      '<!--',
      '&lt;',
      '<failure>',
    );
    fc.assert(fc.property(fc.array(part), (parts) => parseJunit(parts.join(''), 5).length <= 5));
    const began = performance.now();
    for (const one of ['<', '<testcase ', '<testcase a=', '&lt;', '<!--', 'a="b" ', '<failure>x'])
      parseJunit(`<testcase name="a"><failure>${one.repeat(200_000)}`, 1_000);
    // Full names and outputs ignore further text.
    parseJunit(`<testcase><failure>${'x'.repeat(10_000)}${'<a>y'.repeat(2_000_000)}`, 1_000);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
