import type { Scope } from '#kernel/access/roles.js';
import { SCOPES } from '#kernel/access/roles.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** An application without its secret (`auth-core.md` 1.14). */
export class ApplicationRecord {
  @Id()
  id!: number;

  @Text({ description: 'The `client_id` of the OAuth flows' })
  application_id!: string;

  @Text()
  application_name!: string;

  @Text({ description: 'Its redirect URIs, one per line', example: 'https://client.example.com/callback' })
  callback_url!: string;

  @Flag({ description: 'Whether it can keep a secret' })
  confidential!: boolean;

  @List(OneOf(SCOPES))
  scopes!: Scope[];

  @Flag({ description: 'Whether users are not asked for consent' })
  trusted!: boolean;

  @Count({ description: 'Seconds within which a refresh token that was just used is accepted once more' })
  refresh_grace_period_seconds!: number;
}

/** A new application, or one with a new secret: the only responses that contain it. */
export class NewApplicationRecord extends ApplicationRecord {
  @Text({ description: 'Shown only once', example: 'gloas-shown-only-once' })
  secret!: string;
}

/** Fields of an application. */
export interface ApplicationFields {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly confidential: boolean;
  readonly scopes: readonly Scope[];
  readonly trusted: boolean;
  readonly refreshGracePeriodSeconds: number;
}

/** Presents an application. */
export function presentApplication(application: ApplicationFields): ApplicationRecord {
  return {
    id: application.id,
    application_id: application.uid,
    application_name: application.name,
    callback_url: application.redirectUris.join('\n'),
    confidential: application.confidential,
    scopes: [...application.scopes],
    trusted: application.trusted,
    refresh_grace_period_seconds: application.refreshGracePeriodSeconds,
  };
}

/** Presents an application with its new secret. */
export const presentNewApplication = (application: ApplicationFields, secret: string): NewApplicationRecord =>
  Object.assign(presentApplication(application), { secret });
