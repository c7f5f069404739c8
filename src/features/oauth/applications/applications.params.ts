import type { Scope } from '#kernel/access/roles.js';
import { Problem, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { Flag, Id, Integer, scalar, Text, texts } from '#kernel/http/fields/scalar-fields.js';
import { areKnown } from '#core/oauth-tokens/oauth-scopes.js';
import { redirectUriProblems } from '#core/oauth-tokens/applications/redirect-uri.js';

/** Characters of a list of words: all redirect URIs together, or all scopes. */
const MAX_WORDS = 10_000;
const MAX_NAME = 255;

/** Text of `auth-core.md` 1.14. */
const UNKNOWN_SCOPES = "doesn't match configured on the server.";

/** An hour: a grace window lets a stolen refresh token be used beside the real one, so it must stay short. */
const MAX_GRACE_SECONDS = 3600;

/** Words of one text, parted by whatever white space; `problemOf` says what is wrong with them. */
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
    check: (value) => (Array.isArray(value) ? null : 'is no list'),
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

/** An application named by its id. */
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

  @Flag({ optional: true, description: 'Whether nobody is asked for consent' })
  trusted?: boolean;

  @Integer({ optional: true, min: 0, max: MAX_GRACE_SECONDS })
  refresh_grace_period_seconds?: number;
}

/** `PUT /applications/:id`: what is not given stays as it is. */
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
