import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ApiRequest } from '#kernel/http/request.js';
import { findCredential, findSudo } from './credentials.js';

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const request = ({ headers = {}, query = {}, body }: Sent): ApiRequest =>
  ({
    headers,
    rawHeaders: Object.entries(headers).flat(),
    query,
    body,
    originalUrl: `/api/v4/user?${Object.keys(query).join('&')}`,
  }) as unknown as ApiRequest;
const find = (sent: Sent): unknown => findCredential(request(sent));

describe('credentials', () => {
  it('are found in headers, query and body', () => {
    expect(find({})).toEqual({ kind: 'none' });
    expect(find({ headers: { 'private-token': 't' } })).toEqual({ kind: 'private', token: 't' });
    expect(find({ query: { private_token: 't' } })).toEqual({ kind: 'private', token: 't' });
    expect(find({ body: { private_token: 't' } })).toEqual({ kind: 'private', token: 't' });
    expect(find({ headers: { 'job-token': 't' } })).toEqual({ kind: 'job', token: 't' });
    expect(find({ headers: { authorization: 'bearer t' } })).toMatchObject({
      kind: 'bearer',
      header: 'bearer t',
    });
    expect(find({ body: { access_token: 't' } })).toMatchObject({ kind: 'bearer', parameter: 't' });
    expect(find({ headers: { cookie: 'a=b; _service_session=s; c=d', 'x-csrf-token': 'c' } })).toEqual({
      kind: 'session',
      secret: 's',
      csrf: 'c',
    });
  });

  it('of other schemes, and other cookies, are ignored', () => {
    for (const headers of [
      { authorization: 'Basic dTpw' },
      { authorization: 'Bearer' },
      { cookie: 'x_service_session=s' },
      { cookie: '_service_session=' },
    ])
      expect([headers, find({ headers })]).toEqual([headers, { kind: 'none' }]);
  });

  it('that are not texts are invalid, not missing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('private_token', 'access_token', 'job_token'),
        fc.anything(),
        (name, value) => {
          const found = findCredential(request({ body: { [name]: value } }));
          if (value === undefined || value === null) expect(found).toEqual({ kind: 'none' });
          else expect(found.kind).not.toBe('none');
        },
      ),
    );
  });

  it('are read without an error, whatever the body is', () => {
    fc.assert(
      fc.property(fc.anything(), (body) =>
        expect(typeof findCredential(request({ body })).kind).toBe('string'),
      ),
    );
  });
});

describe('sudo', () => {
  it('is a name or an id, from header or parameter', () => {
    expect(findSudo(request({ headers: { sudo: 'bob' } }))).toBe('bob');
    expect(findSudo(request({ query: { sudo: '5' }, headers: { sudo: 'bob' } }))).toBe('5');
    expect(findSudo(request({ body: { sudo: 5 } }))).toBe('5');
    expect(findSudo(request({ body: { sudo: null } }))).toBeNull();
    expect(findSudo(request({}))).toBeNull();
  });

  it('is refused with another type, so that no one acts as themselves by mistake', () => {
    for (const sudo of [['bob'], { id: 5 }, true])
      expect(() => findSudo(request({ body: { sudo } }))).toThrow('sudo is invalid');
  });
});
