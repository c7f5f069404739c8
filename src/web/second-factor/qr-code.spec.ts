import { describe, expect, it } from '@jest/globals';
import { qrCode } from './qr-code.js';

describe('a QR code', () => {
  const drawing = String(qrCode('otpauth://totp/Forgeplane:root?secret=JBSWY3DPEHPK3PXP', 'Code'));
  const dark = new Set([...drawing.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x},${y}`));
  const size = Number(/viewBox="-4 -4 (\d+)/.exec(drawing)?.[1]) - 8;

  it('has a dark square of seven modules in three corners, a light ring around its core, and light around all', () => {
    expect((size - 17) % 4).toBe(0);
    for (const [left, top] of [
      [0, 0],
      [size - 7, 0],
      [0, size - 7],
    ] as const)
      for (let at = 0; at < 7; at += 1) {
        for (const [x, y] of [
          [at, 0],
          [at, 6],
          [0, at],
          [6, at],
        ] as const)
          expect(dark.has(`${left + x},${top + y}`)).toBe(true);
        if (at > 0 && at < 6) expect(dark.has(`${left + at},${top + 1}`)).toBe(false);
      }
    expect(dark.has('7,7')).toBe(false);
  });

  it('has the timing patterns between them', () => {
    for (let at = 8; at < size - 8; at += 1) expect(dark.has(`${at},6`)).toBe(at % 2 === 0);
  });
});
