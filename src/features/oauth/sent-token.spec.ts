import { describe, expect, it } from '@jest/globals';
import type { ApiRequest } from '#kernel/http/request.js';
import { sentToken } from './sent-token.js';

interface Sent {
  readonly method?: string;
  readonly authorization?: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const find = ({ method = 'GET', authorization, query = {}, body }: Sent): string | null =>
  sentToken({ method, headers: { authorization }, query, body } as unknown as ApiRequest);

describe('the access token of a request', () => {
  it('is found in header, query and form body', () => {
    expect(find({})).toBeNull();
    expect(find({ authorization: 'Bearer t' })).toBe('t');
    expect(find({ authorization: 'bearer   t ' })).toBe('t');
    expect(find({ query: { access_token: 't' } })).toBe('t');
    expect(find({ query: { bearer_token: 't' } })).toBe('t');
    expect(find({ query: { access_token: 't', bearer_token: 'u' } })).toBe('t');
    expect(find({ method: 'POST', body: { access_token: 't' } })).toBe('t');
  });

  it('is not read from other schemes, empty values, or the body of a GET request', () => {
    for (const authorization of ['Bearer', 'Bearer ', 'Bearert', 'Basic dDp0', 'x Bearer t'])
      expect([authorization, find({ authorization })]).toEqual([authorization, null]);
    expect(find({ query: { access_token: '' }, method: 'POST', body: { access_token: '' } })).toBeNull();
    expect(find({ body: { access_token: 't' } })).toBeNull();
    expect(find({ method: 'POST', body: 'access_token' })).toBeNull();
  });

  it('is refused if it is sent twice or is not a text', () => {
    const both = { authorization: 'Bearer t', query: { access_token: 't' } };
    for (const sent of [
      both,
      { authorization: 'Bearer t', method: 'POST', body: { access_token: 't' } },
      { method: 'POST', body: { access_token: 't' }, query: { access_token: 't' } },
      { query: { access_token: ['t', 't'] } },
      { query: { access_token: { t: 't' } } },
      { method: 'POST', body: { access_token: 7 } },
    ]) {
      expect(() => find(sent)).toThrow(expect.objectContaining({ status: 400 }));
    }
  });
});
