import { describe, expect, it } from '@jest/globals';
import { redactParams, redactText, redactUrl } from './redaction.js';

describe('redactUrl', () => {
  it.each([
    ['/api/v4/projects/1/issues', '/api/v4/projects/1/issues'],
    ['/a?private_token=s3cr3t&page=2', '/a?private_token=[FILTERED]&page=2'],
    [
      '/a?access_token=x&job_token=y&refresh_token=z',
      '/a?access_token=[FILTERED]&job_token=[FILTERED]&refresh_token=[FILTERED]',
    ],
    [
      '/a?user[password]=x&user%5Bpassword%5D=y',
      '/a?user[password]=[FILTERED]&user%5Bpassword%5D=[FILTERED]',
    ],
    ['/a?tokens[]=x', '/a?tokens[]=[FILTERED]'],
    ['/a?PRIVATE_TOKEN=x', '/a?PRIVATE_TOKEN=[FILTERED]'],
    ['/a?private%5Ftoken=x', '/a?private%5Ftoken=[FILTERED]'],
    [
      '/oauth/callback?code=abc&code_verifier=def&status=ok',
      '/oauth/callback?code=[FILTERED]&code_verifier=[FILTERED]&status=ok',
    ],
    ['/a?sentry_key=0123456789', '/a?sentry_key=[FILTERED]'],
    ['https://user:pass@example.com/x.git', 'https://[FILTERED]@example.com/x.git'],
    ['https://example.com/#access_token=abc', 'https://example.com/#access_token=[FILTERED]'],
    ['/glpat-abcdefgh12345678', '/glpat-[FILTERED]'],
    ['/glet_0123456789abcdef0123456789abcdef', '/glet_[FILTERED]'],
    ['/a?x=%zz&token=1', '/a?x=%zz&token=[FILTERED]'],
  ])('%s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });

  it('finds user info in an encoded value', () => {
    const shown = redactUrl('/a?import_url=https%3A%2F%2Fuser%3Apass%40example.com%2Fx.git&b=1');
    expect(shown).not.toContain('pass');
    expect(shown).toMatch(/&b=1$/);
  });

  it('returns a limited length', () => {
    expect(redactUrl(`/a?${'b=1&'.repeat(50_000)}`).length).toBeLessThan(3000);
  });
});

describe('redactText', () => {
  it.each([
    ['Authorization: Bearer abcdef123456', 'abcdef123456'],
    ['PRIVATE-TOKEN glpat-abcdefgh12345678', 'abcdefgh12345678'],
    ['{"password":"hunter22"}', 'hunter22'],
    ["{ client_secret: 'hunter22' }", 'hunter22'],
    ['fetch https://oauth2:hunter22@host/x failed', 'hunter22'],
    ['https://0123456789abcdef@errors.example.com/1', '0123456789abcdef'],
    ['X-Sentry-Auth: Sentry sentry_version=7, sentry_key=0123456789abcdef', '0123456789abcdef'],
    ['postgres://app:p@ss@db/x', 'p@ss'],
    ['Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ])('hides the secret of %s', (text, secret) => {
    expect(redactText(text)).not.toContain(secret);
    expect(redactText(text)).toContain('[FILTERED]');
  });

  it('keeps harmless text', () => {
    expect(redactText('connect ECONNREFUSED 127.0.0.1:5432')).toBe('connect ECONNREFUSED 127.0.0.1:5432');
  });

  it('removes line breaks, escapes and separators', () => {
    expect(redactText('a\r\n{"level":"info"}\u2028b\u001b[31m\u0000')).not.toMatch(
      // oxlint-disable-next-line no-control-regex -- these are what is looked for
      /[\u0000-\u001f\u2028]/,
    );
  });

  it('takes linear time', () => {
    const started = performance.now();
    for (const unit of ['a://', 'token', 'password ', 'code"', '@', '://@', 'bearer ', 'gla-']) {
      redactText(unit.repeat(1_000_000));
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('redactParams', () => {
  it('filters secrets at any level, and keeps the rest', () => {
    expect(
      JSON.parse(
        JSON.stringify(
          redactParams({
            page: '2',
            flag: true,
            none: null,
            private_token: 'x',
            user: { password: 'x', name: 'n', tokens: ['x'] },
            configuration: { url: 'https://u:p@h/', access_token: 'x' },
            list: [{ secret: 1 }, 'https://u:p@h/'],
          }),
        ),
      ),
    ).toEqual({
      page: '2',
      flag: true,
      none: null,
      private_token: '[FILTERED]',
      user: { password: '[FILTERED]', name: 'n', tokens: '[FILTERED]' },
      configuration: { url: 'https://[FILTERED]@h/', access_token: '[FILTERED]' },
      list: [{ secret: '[FILTERED]' }, 'https://[FILTERED]@h/'],
    });
  });

  it('limits depth, width and length', () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
    const text = JSON.stringify(
      redactParams({ deep, wide, list: new Array(1e6).fill(1), long: 'x'.repeat(1e6) }),
    );
    expect(text.length).toBeLessThan(4000);
  });

  it('does not pollute prototypes', () => {
    redactParams(
      JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as Record<
        string,
        unknown
      >,
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
