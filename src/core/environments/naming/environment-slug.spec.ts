import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { environmentSlug } from './environment-slug.js';

describe('environmentSlug', () => {
  it.each([
    ['production', 'production'],
    ['staging-2', 'staging-2'],
    ['foo-', 'foo'],
    ['abcdefghijklmnopqrstuvwx', 'abcdefghijklmnopqrstuvwx'],
  ])('keeps %s as %s', (name, slug) => expect(environmentSlug(name)).toBe(slug));

  it.each([
    ['Staging', /^staging-[a-z0-9]{6}$/],
    ['staging--2', /^staging-2-[a-z0-9]{6}$/],
    ['review/foo_bar', /^review-foo-bar-[a-z0-9]{6}$/],
    ['1-foo', /^env-1-foo-[a-z0-9]{6}$/],
    ['a-very-long-name-of-an-environment', /^a-very-long-name-[a-z0-9]{6}$/],
  ])('adds a suffix to %s', (name, slug) => expect(environmentSlug(name)).toMatch(slug));

  it('keeps the existing slug of an existing name', () => {
    expect(environmentSlug('review/feature')).toBe(environmentSlug('review/feature'));
    expect(environmentSlug('Production')).not.toBe(environmentSlug('PRODUCTION'));
  });

  it('returns a valid host name, whatever the name and the attempt', () => {
    const name = fc.stringMatching(/^[\w $.{}-][\w /$.{}-]{0,80}$/);
    fc.assert(
      fc.property(name, fc.nat(5), (text, attempt) => {
        const slug = environmentSlug(text, attempt);
        return slug.length <= 24 && /^[a-z]([a-z0-9]|-(?!-))*[a-z0-9]$|^[a-z]$/.test(slug);
      }),
    );
  });

  it('returns a different slug for every attempt', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9/-]{1,40}$/), (name) => {
        const slugs = [0, 1, 2, 3].map((attempt) => environmentSlug(name, attempt));
        return new Set(slugs).size === 4;
      }),
    );
  });
});
