import { describe, expect, it } from '@jest/globals';
import { mayGrant, requestedScopes } from './oauth-scopes.js';

describe('scopes of a request', () => {
  it('default to api if the application has it', () => {
    expect(requestedScopes(null, null)).toEqual(['api']);
    expect(requestedScopes(null, ['read_user', 'api'])).toEqual(['api']);
    expect(requestedScopes(null, ['read_user'])).toBeNull();
  });

  it('are separated by blanks, each once', () => {
    expect(requestedScopes('read_user openid read_user', null)).toEqual(['read_user', 'openid']);
    expect(requestedScopes(' api  read_user ', ['api', 'read_user'])).toEqual(['api', 'read_user']);
  });

  it('are refused if the application lacks them or they are unknown', () => {
    for (const text of [
      'sudo',
      'api sudo',
      'invented',
      'API',
      'api\nread_user',
      'api\tread_user',
      'api,read_user',
      ' ',
      'api '.repeat(300),
    ])
      expect([text, requestedScopes(text, ['api', 'read_user'])]).toEqual([text, null]);
  });
});

it('allows scopes for administrators only to administrators', () => {
  expect(mayGrant(['api', 'read_user'], false)).toBe(true);
  for (const scope of ['sudo', 'admin_mode'] as const) {
    expect(mayGrant(['api', scope], false)).toBe(false);
    expect(mayGrant(['api', scope], true)).toBe(true);
  }
});
