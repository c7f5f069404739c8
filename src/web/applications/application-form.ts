import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import type { ApplicationRow } from '#core/oauth-tokens/applications/applications.queries.js';
import type { NewApplication } from '#core/oauth-tokens/applications/applications.service.js';
import { CreateApplicationParams } from '#features/oauth/applications/applications.params.js';
import { bindForm } from '../forms/bind-form.js';
import type { ApplicationSection } from './application-section.js';

/** Values of the application form as entered. They are validated, and shown again if invalid. */
export class ApplicationForm {
  @Text({ optional: true })
  name = '';

  @Text({ optional: true })
  redirect_uri = '';

  /** Browsers send nothing for an unchecked checkbox. */
  @Flag({ optional: true })
  confidential = false;

  @List(Text(), { optional: true })
  scopes: string[] = [];

  @Flag({ optional: true })
  trusted = false;

  @Text({ optional: true })
  refresh_grace_period_seconds = '';
}

/** Form for editing an existing application. */
export class ChangedApplicationForm extends ApplicationForm {
  @Id()
  id!: number;
}

/** Path parameters of an application. */
export class ApplicationPath {
  @Id()
  id!: number;
}

/** Empty form for a new application. */
export const blankForm = (): ApplicationForm =>
  Object.assign(new ApplicationForm(), { confidential: true, refresh_grace_period_seconds: '0' });

/** Form filled with the values of an existing application. */
export const formOf = (application: ApplicationRow): ApplicationForm => ({
  name: application.name,
  redirect_uri: application.redirectUris.join('\n'),
  confidential: application.confidential,
  scopes: [...application.scopes],
  trusted: application.trusted,
  refresh_grace_period_seconds: String(application.refreshGracePeriodSeconds),
});

/**
 * Validates the form. Only administrators decide about trust and the grace period. @throws 400 by the rules
 * of the API
 */
export function valuesOf(
  form: ApplicationForm,
  { isInstance }: ApplicationSection,
): Omit<NewApplication, 'ownerId'> {
  const bound = bindForm(CreateApplicationParams, {
    name: form.name,
    redirect_uri: form.redirect_uri,
    scopes: form.scopes.join(' '),
    refresh_grace_period_seconds: isInstance ? form.refresh_grace_period_seconds : 0,
  });
  return {
    name: bound.name,
    redirectUris: bound.redirect_uri,
    scopes: bound.scopes,
    confidential: form.confidential,
    trusted: isInstance && form.trusted,
    refreshGracePeriodSeconds: bound.refresh_grace_period_seconds ?? 0,
  };
}
