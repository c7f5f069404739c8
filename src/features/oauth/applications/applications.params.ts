import type { Scope } from '#kernel/access/roles.js';
import { Problem, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { Flag, Id, Integer, scalar, Text, texts } from '#kernel/http/fields/scalar-fields.js';
import { areKnown } from '#core/oauth-tokens/oauth-scopes.js';
import { redirectUriProblems } from '#core/oauth-tokens/applications/redirect-uri.js';

/** Limit of characters of all redirect URIs or all scopes together. */
const MAX_WORDS = 10_000;
const MAX_NAME = 255;

/** Text of `auth-core.md` 1.14. */
const UNKNOWN_SCOPES = "doesn't match configured on the server.";

/**
 * One hour: during the grace period a stolen refresh token works next to the real one, so it must be short.
 */
const MAX_GRACE_SECONDS = 3600;

/** Words of a text separated by any whitespace; `problemOf` returns the problem of a word. */
const words = (
  problemOf: (found: readonly string[]) => string | null,
  options: FieldOptions,
): PropertyDecorator =>
  scalar(options, {
    coerce: (raw) => {
      if (typeof raw !== 'string') return new Problem(texts.invalid);
      if (raw.length > MAX_WORDS) return new Problem(texts.tooLong(MAX_WORDS));
      const found = raw.split(/\s+/).filter((word) => word !== '');
      const problem = found.length === 0 ? texts.empty : problemOf(found);
      return problem === null ? found : new Problem(problem);
    },
    check: (value) => (Array.isArray(value) ? null : 'is not a list'),
    schema: () => ({ type: 'string' }),
  });

const RedirectUris = (options: FieldOptions = {}): PropertyDecorator =>
  words((uris) => redirectUriProblems(uris)[0] ?? null, {
    description: 'One per line',
    example: 'https://client.example.com/callback',
    ...options,
  });

const ScopeNames = (options: FieldOptions = {}): PropertyDecorator =>
  words((names) => (areKnown(names) ? null : UNKNOWN_SCOPES), {
    description: 'Separated by blanks',
    example: 'read_user openid',
    ...options,
  });

/** Id of an application. */
export class ApplicationPath {
  @Id()
  id!: number;
}

/** `POST /applications`. */
export class CreateApplicationParams {
  @Text({ maxLength: MAX_NAME })
  name!: string;

  @RedirectUris()
  redirect_uri!: string[];

  @ScopeNames()
  scopes!: Scope[];

  @Flag({ optional: true, description: 'Whether it can keep a secret; default true' })
  confidential?: boolean;

  @Flag({ optional: true, description: 'Whether users are not asked for consent' })
  trusted?: boolean;

  @Integer({ optional: true, min: 0, max: MAX_GRACE_SECONDS })
  refresh_grace_period_seconds?: number;
}

/** `PUT /applications/:id`; parameters that are not given stay unchanged. */
export class UpdateApplicationParams {
  @Id()
  id!: number;

  @Text({ optional: true, blank: false, maxLength: MAX_NAME })
  name?: string;

  @RedirectUris({ optional: true })
  redirect_uri?: string[];

  @ScopeNames({ optional: true })
  scopes?: Scope[];

  @Flag({ optional: true })
  confidential?: boolean;

  @Flag({ optional: true })
  trusted?: boolean;

  @Integer({ optional: true, min: 0, max: MAX_GRACE_SECONDS })
  refresh_grace_period_seconds?: number;
}
