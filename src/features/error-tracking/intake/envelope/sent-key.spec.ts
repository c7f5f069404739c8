import { describe, expect, it } from '@jest/globals';
import { keyOfDsn, sentKey } from './sent-key.js';

describe('keys of SDKs', () => {
  it('are found in the query, in their own header and in Authorization, in that order', () => {
    const own = {
      'x-sentry-auth': 'Sentry sentry_version=7, sentry_key=own, sentry_client=sentry.python/1.9.10',
    };
    const authorization = { authorization: 'Sentry sentry_key=other,sentry_secret=x' };
    expect(sentKey({ query: { sentry_key: 'query' }, headers: { ...own, ...authorization } })).toBe('query');
    expect(sentKey({ query: {}, headers: { ...own, ...authorization } })).toBe('own');
    expect(sentKey({ query: {}, headers: authorization })).toBe('other');
    expect(sentKey({ query: {}, headers: { 'x-sentry-auth': 'sentry_key=k' } })).toBe('k');
  });

  it('are not read from anything else', () => {
    for (const headers of [
      {},
      { authorization: 'Bearer sentry_key=k' },
      { authorization: 'Sentry' },
      { 'x-sentry-auth': 'Sentry my_sentry_key=k' },
      { 'x-sentry-auth': '' },
    ])
      expect([headers, sentKey({ query: {}, headers })]).toEqual([headers, null]);
    expect(sentKey({ query: { sentry_key: ['a', 'b'] }, headers: {} })).toBeNull();
    expect(sentKey({ query: { sentry_key: { a: 'b' } }, headers: {} })).toBeNull();
  });

  it('are part of a DSN, before the host', () => {
    expect(keyOfDsn('https://glet_abc@forge.test/api/v4/error_tracking/collector/7')).toBe('glet_abc');
    expect(keyOfDsn('http://key:secret@forge.test:8080/7')).toBe('key');
    for (const dsn of [
      undefined,
      null,
      7,
      {},
      '',
      'https://forge.test/7',
      'ftp://key@forge.test/7',
      'https://@forge.test',
    ])
      expect([dsn, keyOfDsn(dsn)]).toEqual([dsn, null]);
  });
});
