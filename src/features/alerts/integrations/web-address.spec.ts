import { describe, expect, it } from '@jest/globals';
import { isWebAddress } from './web-address.js';

describe('the URL of an external tool', () => {
  it.each([
    'http://a',
    'https://tool.example.com:8443/intake?team=a%20b#top',
    'HTTPS://TOOL.example.com',
    'http://[::1]/',
  ])('can be %s', (text) => {
    expect(isWebAddress(text)).toBe(true);
  });

  it.each([
    '',
    'tool.example.com',
    '//tool.example.com',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'JavaScript://a/%0aalert(1)',
    'data:text/html,x',
    'ftp://a/b',
    'file:///etc/passwd',
    ' https://a',
    'https://a b',
    'https://a\r\nX: y',
    'https://\u0000a',
    'https://',
    'http:///',
    'https://exa mple',
    'https://user:secret@a',
    'https://user@a',
    'https://\u{1f4a3}.example',
  ])('cannot be %j', (text) => {
    expect(isWebAddress(text)).toBe(false);
  });
});
