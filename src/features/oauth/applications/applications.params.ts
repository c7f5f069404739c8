import { Problem, type FieldOptions } from '#kernel/http/field-spec.js';
import { Flag, Integer, scalar, Text, texts } from '#kernel/http/fields.js';

/** Characters of a list of words: all redirect URIs together, or all scopes. */
const MAX_WORDS = 10_000;
const MAX_NAME = 255;

/** An hour: a grace window lets a stolen refresh token be used beside the real one, so it must stay short. */
const MAX_GRACE_SECONDS = 3600;

/** Words of one text; whatever white space parts them. */
const words = (options: FieldOptions): PropertyDecorator =>
  scalar(options, {
    coerce: (raw) => {
      if (typeof raw !== 'string') return new Problem(texts.invalid);
      if (raw.length > MAX_WORDS) return new Problem(texts.tooLong(MAX_WORDS));
      const found = raw.split(/\s+/).filter((word) => word !== '');
      return found.length === 0 ? new Problem(texts.empty) : found;
    },
    check: (value) => (Array.isArray(value) ? null : 'is no list'),
    schema: () => ({ type: 'string' }),
  });

/** An application named by its id. */
export class ApplicationPath {
  @Integer()
  id!: number;
}

/** `POST /applications`. */
export class CreateApplication {
  @Text({ maxLength: MAX_NAME })
  name!: string;

  @words({ description: 'One per line', example: 'https://client.example.com/callback' })
  redirect_uri!: string[];

  @words({ description: 'Separated by blanks', example: 'read_user openid' })
  scopes!: string[];

  @Flag({ optional: true, description: 'Whether it can keep a secret; default true' })
  confidential?: boolean;

  @Flag({ optional: true, description: 'Whether nobody is asked for consent' })
  trusted?: boolean;

  @Integer({ optional: true, min: 0, max: MAX_GRACE_SECONDS })
  refresh_grace_period_seconds?: number;
}

/** `PUT /applications/:id`: what is not given stays as it is. */
export class UpdateApplication {
  @Integer()
  id!: number;

  @Text({ optional: true, blank: false, maxLength: MAX_NAME })
  name?: string;

  @words({ optional: true, description: 'One per line' })
  redirect_uri?: string[];

  @words({ optional: true, description: 'Separated by blanks' })
  scopes?: string[];

  @Flag({ optional: true })
  confidential?: boolean;

  @Flag({ optional: true })
  trusted?: boolean;

  @Integer({ optional: true, min: 0, max: MAX_GRACE_SECONDS })
  refresh_grace_period_seconds?: number;
}
