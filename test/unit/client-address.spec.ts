import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { Networks, clientAddress } from '#kernel/http/client-address.js';

const request = (peer: string, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('clientAddress', () => {
  const trusted = new Networks(['10.0.0.0/8', '::1', '2001:db8:1::/48']);

  it.each([
    ['192.0.2.1', '127.0.0.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', '127.0.0.1, 198.51.100.7, 10.9.9.9', '198.51.100.7'],
    ['10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['10.0.0.1', '127.0.0.1, garbage', '10.0.0.1'],
    ['10.0.0.1', '0x7f000001', '10.0.0.1'],
    ['10.0.0.1', '2130706433', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['::1', '[2001:db8:2::5]:4711', '2001:db8:2::5'],
    ['2001:db8:1::9', '::ffff:198.51.100.7', '198.51.100.7'],
  ])('peer %s, X-Forwarded-For %s: %s', (peer, forwarded, expected) => {
    expect(clientAddress(request(peer, forwarded), trusted)).toBe(expected);
  });

  it('trusts no headers without trusted proxies', () => {
    expect(clientAddress(request('127.0.0.1', '198.51.100.7'), new Networks([]))).toBe('127.0.0.1');
  });

  it('refuses an invalid range immediately', () => {
    expect(() => new Networks(['10.0.0.0/99'])).toThrow('10.0.0.0/99');
    expect(() => new Networks(['proxy.example.com'])).toThrow('proxy.example.com');
  });
});
