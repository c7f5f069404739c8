import { describe, expect, it } from '@jest/globals';
import { isRegisteredRedirectUri, redirectUriProblem, redirectUriProblems } from './redirect-uri.js';

describe('redirect URIs of an application', () => {
  it('can be of a web site, of a native application, or out of band', () => {
    for (const uri of [
      'https://client.example.com/callback',
      'http://client.example.com/callback?a=b',
      'http://127.0.0.1:8080/done',
      'http://[::1]/done',
      'custom://test',
      'com.example.app:/oauth',
      'urn:ietf:wg:oauth:2.0:oob',
    ])
      expect(redirectUriProblem(uri)).toBeNull();
  });

  it('are refused with the reason', () => {
    const refusals = {
      'must be a valid URI.': [
        'http://',
        'https://[oops',
        'https://a b',
        'https://a\\@b',
        'https://ü.example',
        'http://*',
        'https://*.example.com/done',
        'https://%2A/',
        'https://a,b/',
        '\u0000',
      ],
      'must be an absolute URI.': [
        '/callback',
        'client.example.com',
        '//client.example.com/',
        'https:/x',
        'https:x',
        'custom://',
      ],
      'is forbidden by the server.': [
        'javascript:alert(1)',
        'JavaScript:alert(1)',
        'data:text/html,x',
        'vbscript:x',
        'file:///etc/passwd',
      ],
      'cannot contain a fragment.': ['https://client.example.com/#done', 'custom://test#'],
    };
    for (const [text, uris] of Object.entries(refusals))
      for (const uri of uris) expect([uri, redirectUriProblem(uri)]).toEqual([uri, text]);
    expect(redirectUriProblem(`https://a.example/${'x'.repeat(2000)}`)).toBe('must be a valid URI.');
    expect(redirectUriProblems([])).toEqual(["can't be blank"]);
    expect(redirectUriProblems(['/a', '/b', 'https://c.example'])).toEqual(['must be an absolute URI.']);
  });
});

describe('redirect URIs of requests', () => {
  const fits = (registered: string, requested: string): boolean =>
    isRegisteredRedirectUri([registered], requested);

  it('must equal a registered one exactly', () => {
    const registered = 'https://client.example.com/callback';
    expect(fits(registered, registered)).toBe(true);
    for (const uri of [
      `${registered}/`,
      `${registered}?a=b`,
      `${registered}#a`,
      'https://client.example.com:443/callback',
      'https://CLIENT.example.com/callback',
      'http://client.example.com/callback',
      'https://client.example.com/callback/../other',
      '',
    ])
      expect([uri, fits(registered, uri)]).toEqual([uri, false]);
  });

  it('can have another port on a loopback address, and no other difference', () => {
    expect(fits('http://127.0.0.1/done', 'http://127.0.0.1:51004/done')).toBe(true);
    expect(fits('http://127.0.0.1:1/done?a=b', 'http://127.0.0.1:2/done?a=b')).toBe(true);
    expect(fits('http://[::1]:80/done', 'http://[::1]/done')).toBe(true);
    expect(fits('http://127.8.0.1', 'http://127.8.0.1:9')).toBe(true);
    for (const [registered, requested] of [
      ['http://127.0.0.1/done', 'http://127.0.0.1:1/other'],
      ['http://127.0.0.1/done', 'https://127.0.0.1:1/done'],
      ['http://127.0.0.1/done', 'http://127.0.0.2:1/done'],
      ['http://127.0.0.1/done', 'http://127.0.0.1:1@evil.example/done'],
      ['http://127.0.0.1', 'http://127.0.0.1:1@evil.example'],
      ['http://127.0.0.1', 'http://127.0.0.1:1.evil.example'],
      ['http://127.0.0.1', 'http://127.0.0.1:123456'],
      ['http://localhost/done', 'http://localhost:1/done'],
      ['http://10.0.0.1/done', 'http://10.0.0.1:1/done'],
    ] as const)
      expect([requested, fits(registered, requested)]).toEqual([requested, false]);
  });
});
