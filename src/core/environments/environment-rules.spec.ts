import { describe, expect, it } from '@jest/globals';
import { environmentNameProblem, environmentType } from './naming/environment-name.js';
import { guessTier } from './naming/environment-tier.js';
import { externalUrlProblem } from './naming/external-url.js';

describe('names of environments', () => {
  it.each(['production', 'review/a b', 'a_$x{y}.z-1', 'a'.repeat(255)])('accept %j', (name) => {
    expect(environmentNameProblem(name)).toBeNull();
  });

  it.each(['/a', 'a/', 'a\nb', 'ü', 'a;b', 'a'.repeat(256)])('refuse %j', (name) => {
    expect(environmentNameProblem(name)).not.toBeNull();
  });

  it('have a folder if they contain a slash', () => {
    expect(environmentType('review/a/b')).toBe('review');
    expect(environmentType('production')).toBeNull();
  });
});

describe('guessTier', () => {
  it.each([
    ['production', 'production'],
    ['prd-eu', 'production'],
    ['live', 'production'],
    ['Staging', 'staging'],
    ['pre-prod', 'staging'],
    ['demo', 'staging'],
    ['QA', 'testing'],
    ['acpt', 'testing'],
    ['review/x', 'development'],
    ['dev-test', 'development'],
    ['canary', 'other'],
  ])('returns %s for %s', (name, tier) => expect(guessTier(name)).toBe(tier));
});

describe('externalUrlProblem', () => {
  it.each(['https://a.example', 'http://$HOST/x', 'a.example/path', 'https://a.example:8443/?q=1'])(
    'accepts %s',
    (url) => expect(externalUrlProblem(url)).toBeNull(),
  );

  it.each([
    ['javascript:alert(1)', 'javascript scheme is not allowed'],
    ['  JavaScript :alert(1)', 'javascript scheme is not allowed'],
    ['data:text/html,x', 'data scheme is not allowed'],
    ['vbscript:x', 'vbscript scheme is not allowed'],
    ['java\nscript:alert(1)', 'URI is invalid'],
    ['http://a:b:c/', 'URI is invalid'],
    [`https://${'a'.repeat(250)}`, 'is too long (maximum is 255 characters)'],
  ])('refuses %j', (url, problem) => expect(externalUrlProblem(url)).toBe(problem));
});
