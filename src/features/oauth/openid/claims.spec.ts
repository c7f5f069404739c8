import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emailClaims, roleClaims, websiteClaim } from './claims.js';
import type { ClaimedUser, DirectGroup } from './claims.queries.js';

const user = (values: Partial<ClaimedUser>): ClaimedUser => ({
  id: 7,
  username: 'ada',
  name: 'Ada',
  avatar: null,
  website_url: '',
  email: 'ada@example.com',
  email_confirmed: true,
  public_email: '',
  public_email_confirmed: false,
  direct_groups: [],
  ...values,
});

describe('claims', () => {
  it('contain the primary address for the scope `email` only', () => {
    const shown = user({ public_email: 'public@example.com', public_email_confirmed: true });
    expect(emailClaims(shown, ['openid', 'email'])).toEqual({
      email: 'ada@example.com',
      email_verified: true,
    });
    expect(emailClaims(shown, ['openid'])).toEqual({ email: 'public@example.com', email_verified: true });
    expect(emailClaims(user({}), ['openid'])).toEqual({ email_verified: false });
  });

  it('never report an address as confirmed because another one is', () => {
    const any = { email_confirmed: fc.boolean(), public_email_confirmed: fc.boolean() };
    const address = fc.constantFrom('', 'public@example.com');
    fc.assert(
      fc.property(fc.record({ ...any, public_email: address }), fc.boolean(), (values, withScope) => {
        const person = user(values);
        const claims = emailClaims(person, withScope ? ['openid', 'email'] : ['openid']);
        const confirmed = {
          [person.email]: person.email_confirmed,
          [person.public_email]: person.public_email_confirmed,
        };
        expect(claims.email_verified).toBe(claims.email !== undefined && confirmed[claims.email]);
      }),
    );
  });

  it('list each group under its own role, and no roles without groups', () => {
    const level = fc.constantFrom(10, 20, 30, 40, 50);
    const group = fc.record({ path: fc.string({ minLength: 1 }), level });
    fc.assert(
      fc.property(fc.array(group), (groups: DirectGroup[]) => {
        const claims = roleClaims({ direct_groups: groups });
        expect(Object.values(claims).every((paths) => paths.length > 0)).toBe(true);
        expect(Object.values(claims).flat().length).toBe(groups.filter(({ level: one }) => one >= 30).length);
      }),
    );
    expect(roleClaims({ direct_groups: [{ path: 'a/b', level: 50 }] })).toEqual({
      'https://gitlab.org/claims/groups/owner': ['a/b'],
    });
  });

  it('turn a website into a link that executes nothing', () => {
    expect(websiteClaim('')).toBeUndefined();
    expect(websiteClaim('HTTPS://example.com')).toBe('HTTPS://example.com');
    expect(websiteClaim('example.com')).toBe('http://example.com');
    expect(websiteClaim('javascript:alert(1)')).toBe('http://javascript:alert(1)');
  });
});
