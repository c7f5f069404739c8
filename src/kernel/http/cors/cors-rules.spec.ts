import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { corsRuleOf, permits, type CorsRule } from './cors-rules.js';

const ruleOf = (path: string): CorsRule => {
  const rule = corsRuleOf(path);
  if (!rule) throw new Error(`${path} has no rule`);
  return rule;
};

describe('CORS rules', () => {
  it('apply to the API and the OAuth routes that scripts use, not to pages', () => {
    for (const path of [
      '/',
      '/oauth/authorize',
      '/oauth/introspect',
      '/oauth/applications',
      '/oauth/token/other',
      '/oauth/tokens',
      '/OAUTH/token',
      '/users/sign_in',
      '/.well-known/other',
      '/-/health',
      '/apix',
    ]) {
      expect([path, corsRuleOf(path)]).toEqual([path, undefined]);
    }
    expect(ruleOf('/oauth/token/')).toBe(ruleOf('/oauth/token'));
    expect(ruleOf('/api/v4/version').ownCookies).toBe(true);
  });

  it('allow simple headers and Authorization, in any case and with any blanks', () => {
    const token = ruleOf('/oauth/token');
    for (const asked of ['', 'authorization', 'Authorization, Content-Type', ' accept ,AUTHORIZATION,'])
      expect([asked, permits(token, 'POST', asked)]).toEqual([asked, true]);
    expect(permits(ruleOf('/oauth/discovery/keys'), 'GET', 'authorization')).toBe(false);
    expect(permits(ruleOf('/oauth/discovery/keys'), 'GET', 'accept')).toBe(true);
    expect(permits(token, 'GET', '')).toBe(false);
    expect(permits(token, 'post', '')).toBe(false);
  });

  it('refuse a list if one of its headers is not allowed', () => {
    const harmless = fc.constantFrom(
      'accept',
      'Accept-Language',
      'content-language',
      'Content-Type',
      'authorization',
    );
    const other = fc
      .stringMatching(/^[a-z-]{1,20}$/)
      .filter((name) => !/^(accept|accept-language|content-language|content-type|authorization)$/.test(name));
    fc.assert(
      fc.property(fc.array(harmless), other, fc.array(harmless), (before, name, after) => {
        const token = ruleOf('/oauth/token');
        expect(permits(token, 'POST', [...before, ...after].join(', '))).toBe(true);
        expect(permits(token, 'POST', [...before, name, ...after].join(', '))).toBe(false);
      }),
    );
  });
});
