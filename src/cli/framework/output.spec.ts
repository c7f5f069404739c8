import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { invalid } from '#kernel/http/errors.js';
import { printFailure } from './output.js';

describe('failures of commands', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('name each invalid attribute, also within a hash', () => {
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    printFailure(invalid({ name: ['is taken'], configuration: { url: ['is invalid'] } }), false);
    expect(written.mock.calls).toEqual([['name is taken\nconfiguration[url] is invalid\n']]);
  });
});
