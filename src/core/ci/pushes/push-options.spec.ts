import { describe, expect, it } from '@jest/globals';
import { ciPushOptions, unknownPushOptions } from './push-options.js';

describe('the options of a push', () => {
  it('contain variables, quoted or not, with equals signs in the value', () => {
    const { skip, variables } = ciPushOptions([
      'ci.variable=A=1',
      'ci.variable="B=two words"',
      'ci.variable=C=x=y',
      'ci.variable=D=',
      'merge_request.create',
    ]);
    expect(skip).toBe(false);
    expect(variables.map(({ key, value }) => [key, value])).toEqual([
      ['A', '1'],
      ['B', 'two words'],
      ['C', 'x=y'],
      ['D', ''],
    ]);
  });

  it.each([
    ['ci.variable'],
    ['ci.variable=A'],
    ['ci.variable=1A=b'],
    ['ci.variable=A B=c'],
    ['ci.variable=A=\0'],
  ])('contain no variable in %j', (option) => {
    expect(ciPushOptions([option])).toEqual({ skip: false, variables: [] });
    expect(unknownPushOptions([option, 'ci.skip', 'ci.variable=A=1'])).toEqual([option]);
  });

  it('show if no pipeline is requested', () => {
    expect(ciPushOptions(['x', 'ci.skip']).skip).toBe(true);
  });
});
