import { describe, expect, it } from '@jest/globals';
import { matchingStep, newTotpSecret, stepAt, totpCode, totpUri } from './totp.js';

/** "12345678901234567890" of RFC 6238 appendix B, in Base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number): Date => new Date(seconds * 1000);
const NOW = at(1_234_567_890);
const PRESENT = stepAt(NOW);

describe('codes', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('of second %i are the last six digits of RFC 6238, appendix B', (seconds, code) => {
    expect(totpCode(SECRET, stepAt(at(seconds)))).toBe(code);
    expect(matchingStep(SECRET, code, at(seconds), -1)).toBe(Math.floor(seconds / 30));
  });

  it('are valid one step earlier and later, and no longer', () => {
    const taken = [-2, -1, 0, 1, 2].map((distance) =>
      matchingStep(SECRET, totpCode(SECRET, PRESENT + distance), NOW, -1),
    );
    expect(taken).toEqual([null, PRESENT - 1, PRESENT, PRESENT + 1, null]);
  });

  it('are compared in whole steps, to the second', () => {
    const start = PRESENT * 30;
    const code = totpCode(SECRET, PRESENT);
    expect(matchingStep(SECRET, code, at(start - 30), -1)).toBe(PRESENT);
    expect(matchingStep(SECRET, code, new Date((start - 30) * 1000 - 1), -1)).toBeNull();
    expect(matchingStep(SECRET, code, new Date((start + 60) * 1000 - 1), -1)).toBe(PRESENT);
    expect(matchingStep(SECRET, code, at(start + 60), -1)).toBeNull();
  });

  it('are invalid once their step or a later one was used', () => {
    const [before, present, after] = [-1, 0, 1].map((distance) => totpCode(SECRET, PRESENT + distance));
    expect(matchingStep(SECRET, present as string, NOW, PRESENT)).toBeNull();
    expect(matchingStep(SECRET, before as string, NOW, PRESENT)).toBeNull();
    expect(matchingStep(SECRET, after as string, NOW, PRESENT)).toBe(PRESENT + 1);
    expect(matchingStep(SECRET, after as string, NOW, PRESENT + 1)).toBeNull();
    // The clock of the server was set back.
    expect(matchingStep(SECRET, present as string, NOW, PRESENT + 100)).toBeNull();
  });

  it.each(['', '05924', '0005924', '00592x', ' 005924', '005924\n', '٠٠٥٩٢٤', '-05924', '5.9e3'])(
    'are six digits, not %j',
    (code) => expect(matchingStep(SECRET, code, NOW, -1)).toBeNull(),
  );
});

describe('secrets', () => {
  it('are 160 random bits in Base32', () => {
    const secrets = new Set(Array.from({ length: 100 }, newTotpSecret));
    expect(secrets.size).toBe(100);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('are passed to the authenticator with issuer and account, whatever their characters', () => {
    const uri = new URL(totpUri(SECRET, 'Forgeplane forge.test:8080', 'a.b&secret=x'));
    expect(uri.protocol + uri.host).toBe('otpauth:totp');
    expect(uri.searchParams.getAll('secret')).toEqual([SECRET]);
    expect(uri.searchParams.get('issuer')).toBe('Forgeplane forge.test:8080');
    expect(decodeURIComponent(uri.pathname)).toContain('a.b&secret=x');
  });
});
