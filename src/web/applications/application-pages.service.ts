import { Injectable } from '@nestjs/common';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { notFound } from '#kernel/http/errors.js';
import {
  ApplicationsQueries,
  type ApplicationRow,
} from '#core/oauth-tokens/applications/applications.queries.js';
import {
  ApplicationsService,
  type ApplicationWithSecret,
  type AssertManaged,
} from '#core/oauth-tokens/applications/applications.service.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import type { PageContext } from '../page-context.js';
import { formOf, valuesOf, type ApplicationForm } from './application-form.js';
import { applicationForm, applicationView } from './application-views.js';
import { ownerOf, type Place } from './place.js';

/**
 * Pages of single applications, shared by those of a user and those of the instance. Applications of another
 * owner are not found. A secret is shown only in the response that creates it, because it is not stored
 * anywhere for a later one.
 */
@Injectable()
export class ApplicationPagesService {
  constructor(
    private readonly queries: ApplicationsQueries,
    private readonly applications: ApplicationsService,
  ) {}

  /** Renders the form of a new application with its errors. */
  makeForm(
    page: PageContext,
    place: Place,
    values: ApplicationForm,
    errors: readonly FieldError[] = [],
  ): PageAnswer {
    const { path: action } = place;
    const target = {
      action,
      method: 'post',
      button: 'Create application',
      back: action,
      csrfToken: page.csrfToken,
    } as const;
    return page.render('New application', applicationForm(place, values, errors, target), { errors });
  }

  async create(page: PageContext, place: Place, form: ApplicationForm): Promise<PageAnswer> {
    const ownerId = ownerOf(place, page);
    let made: ApplicationWithSecret;
    try {
      const values = { ...valuesOf(form, place), ownerId };
      made = await this.applications.create(values, page.actor);
    } catch (error) {
      return this.makeForm(page, place, form, fieldErrorsOf(error));
    }
    return showApplication(page, place, made.application, made.secret);
  }

  async show(page: PageContext, place: Place, id: number): Promise<PageAnswer> {
    return showApplication(page, place, await this.find(page, place, id), null);
  }

  async edit(page: PageContext, place: Place, id: number): Promise<PageAnswer> {
    return changeForm(page, place, id, formOf(await this.find(page, place, id)), []);
  }

  async update(page: PageContext, place: Place, id: number, form: ApplicationForm): Promise<PageAnswer> {
    await this.find(page, place, id);
    try {
      const { trusted, refreshGracePeriodSeconds, ...own } = valuesOf(form, place);
      const changes = place.isInstance ? { ...own, trusted, refreshGracePeriodSeconds } : own;
      await this.applications.update(id, ofPlace(page, place), changes, page.actor);
    } catch (error) {
      return changeForm(page, place, id, form, fieldErrorsOf(error));
    }
    return page.redirect(`${place.path}/${id}`, { flash: 'application_updated' });
  }

  async askToRenew(page: PageContext, place: Place, id: number): Promise<PageAnswer> {
    const { name } = await this.find(page, place, id);
    const base = `${place.path}/${id}`;
    const text = html`The current secret of <strong>${name}</strong> will no longer be accepted. Tokens stay
      valid.`;
    return page.ask('Renew the secret?', {
      text,
      action: `${base}/renew`,
      method: 'put',
      button: `Renew the secret of ${name}`,
      back: base,
    });
  }

  async renew(page: PageContext, place: Place, id: number): Promise<PageAnswer> {
    const { application, secret } = await this.applications.renewSecret(id, ofPlace(page, place), page.actor);
    return showApplication(page, place, application, secret);
  }

  async askToRemove(page: PageContext, place: Place, id: number): Promise<PageAnswer> {
    const { name } = await this.find(page, place, id);
    const base = `${place.path}/${id}`;
    const text = html`<strong>${name}</strong> loses access to the accounts of all its users immediately. This
      cannot be undone.`;
    return page.ask('Remove this application?', {
      text,
      action: base,
      method: 'delete',
      button: `Remove ${name}`,
      back: base,
    });
  }

  async remove(page: PageContext, place: Place, id: number): Promise<PageAnswer> {
    await this.applications.remove(id, ofPlace(page, place), page.actor);
    return page.redirect(place.path, { flash: 'application_removed' });
  }

  private async find(page: PageContext, place: Place, id: number): Promise<ApplicationRow> {
    const application = await this.queries.find(id);
    assertOfPlace(application, page, place);
    return application;
  }
}

const ofPlace =
  (page: PageContext, place: Place): AssertManaged =>
  (application) =>
    assertOfPlace(application, page, place);

function assertOfPlace({ ownerId }: Pick<ApplicationRow, 'ownerId'>, page: PageContext, place: Place): void {
  if (ownerId !== ownerOf(place, page)) throw notFound('Application');
}

const showApplication = (
  page: PageContext,
  place: Place,
  application: ApplicationRow,
  secret: string | null,
): PageAnswer =>
  page.render(
    application.name,
    applicationView(place, application, application.confidential ? secret : null),
  );

function changeForm(
  page: PageContext,
  place: Place,
  id: number,
  values: ApplicationForm,
  errors: readonly FieldError[],
): PageAnswer {
  const action = `${place.path}/${id}`;
  const target = {
    action,
    method: 'put',
    button: 'Save application',
    back: action,
    csrfToken: page.csrfToken,
  } as const;
  return page.render('Edit application', applicationForm(place, values, errors, target), { errors });
}
