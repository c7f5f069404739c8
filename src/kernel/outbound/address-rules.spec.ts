import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressProblem } from './address-rules.js';

const LOCALHOST = 'Requests to localhost are not allowed';
const LOCAL = 'Requests to the local network are not allowed';

/**
 * IPv4 networks that must not be reachable through the service, as first address and prefix length (RFC 6890
 * and its successors).
 */
const SPECIAL: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const toNumber = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const toText = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
const isSpecial = (value: number): boolean =>
  SPECIAL.some(
    ([first, length]) => Math.floor(value / 2 ** (32 - length)) === toNumber(first) / 2 ** (32 - length),
  );
const special = fc
  .tuple(fc.constantFrom(...SPECIAL), fc.integer({ min: 0, max: 2 ** 28 - 1 }))
  .map(([[first, length], offset]) => toText(toNumber(first) + (offset % 2 ** (32 - length))));
const hex = (value: number): string => value.toString(16);

describe('addresses', () => {
  it('of the internet are allowed', () => {
    for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])
      expect(addressProblem(address, false)).toBeNull();
  });

  it('are classified', () => {
    for (const address of ['127.0.0.1', '127.9.9.9', '0.0.0.0', '::', '::1', '::ffff:127.0.0.1'])
      expect(addressProblem(address, false)).toBe(LOCALHOST);
    for (const address of [
      '10.1.2.3',
      '100.64.0.1',
      '192.168.1.1',
      '172.31.0.1',
      'fd00::8',
      '::ffff:10.0.0.1',
    ])
      expect(addressProblem(address, false)).toBe(LOCAL);
    for (const address of ['169.254.169.254', 'fe80::1', '::ffff:a9fe:a9fe'])
      expect(addressProblem(address, true)).toBe('Requests to the link local network are not allowed');
  });

  it('that are special stay forbidden, even if local ones are allowed', () => {
    const addresses = [
      '224.0.0.1',
      '255.255.255.255',
      '240.0.0.1',
      '192.0.2.1',
      'ff02::1',
      '2002:7f00:1::',
      'x',
    ];
    const more = ['64:ff9b::7f00:1', '64:ff9b:1::1', '2001::1', '2001:db8::1', 'fec0::1', '3fff::1'];
    for (const address of [...addresses, ...more]) expect(addressProblem(address, true)).not.toBeNull();
  });

  it('that are local are allowed if configured', () => {
    for (const address of ['127.0.0.1', '::1', '::127.0.0.1', '10.0.0.1', 'fd00::1', '::ffff:192.168.0.1'])
      expect(addressProblem(address, true)).toBeNull();
  });

  it('of a special network are refused in every IPv6 notation that contains them', () => {
    fc.assert(
      fc.property(special, (address) => {
        const value = toNumber(address);
        const [high, low] = [hex(Math.floor(value / 65_536)), hex(value % 65_536)];
        const carried = [`::ffff:${address}`, `::ffff:${high}:${low}`, `64:ff9b::${high}:${low}`];
        const tunnels = [`2002:${high}:${low}::1`, `::${high}:${low}`];
        for (const each of [address, ...carried, ...tunnels])
          expect(addressProblem(each, false)).not.toBeNull();
      }),
    );
  });

  it('of IPv4 outside of special networks are allowed, except for a few relays and sinks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (value) => {
        const isRelay = /^192\.(88\.99|31\.196|52\.193|175\.48)\./.test(toText(value));
        fc.pre(!isRelay);
        expect(addressProblem(toText(value), false) === null).toBe(!isSpecial(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('of IPv6 outside of the assigned ranges are refused', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 65_535 }), { minLength: 8, maxLength: 8 }), (parts) => {
        const first = parts[0] ?? 0;
        fc.pre((first < 0x2000 || first > 0x3fff) && parts.slice(0, 5).some((part) => part !== 0));
        expect(addressProblem(parts.map(hex).join(':'), false)).not.toBeNull();
      }),
    );
  });
});
