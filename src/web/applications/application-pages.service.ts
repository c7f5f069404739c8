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
import { ownerOf, type ApplicationSection } from './application-section.js';

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
    section: ApplicationSection,
    values: ApplicationForm,
    errors: readonly FieldError[] = [],
  ): PageAnswer {
    const { path: action } = section;
    const target = {
      action,
      method: 'post',
      button: 'Create application',
      back: action,
      csrfToken: page.csrfToken,
    } as const;
    return page.render('New application', applicationForm(section, values, errors, target), { errors });
  }

  async create(page: PageContext, section: ApplicationSection, form: ApplicationForm): Promise<PageAnswer> {
    const ownerId = ownerOf(section, page);
    let made: ApplicationWithSecret;
    try {
      const values = { ...valuesOf(form, section), ownerId };
      made = await this.applications.create(values, page.actor);
    } catch (error) {
      return this.makeForm(page, section, form, fieldErrorsOf(error));
    }
    return showApplication(page, section, made.application, made.secret);
  }

  async show(page: PageContext, section: ApplicationSection, id: number): Promise<PageAnswer> {
    return showApplication(page, section, await this.find(page, section, id), null);
  }

  async edit(page: PageContext, section: ApplicationSection, id: number): Promise<PageAnswer> {
    return changeForm(page, section, id, formOf(await this.find(page, section, id)), []);
  }

  async update(
    page: PageContext,
    section: ApplicationSection,
    id: number,
    form: ApplicationForm,
  ): Promise<PageAnswer> {
    await this.find(page, section, id);
    try {
      const { trusted, refreshGracePeriodSeconds, ...own } = valuesOf(form, section);
      const changes = section.isInstance ? { ...own, trusted, refreshGracePeriodSeconds } : own;
      await this.applications.update(id, ofSection(page, section), changes, page.actor);
    } catch (error) {
      return changeForm(page, section, id, form, fieldErrorsOf(error));
    }
    return page.redirect(`${section.path}/${id}`, { flash: 'application_updated' });
  }

  async askToRenew(page: PageContext, section: ApplicationSection, id: number): Promise<PageAnswer> {
    const { name } = await this.find(page, section, id);
    const base = `${section.path}/${id}`;
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

  async renew(page: PageContext, section: ApplicationSection, id: number): Promise<PageAnswer> {
    const { application, secret } = await this.applications.renewSecret(
      id,
      ofSection(page, section),
      page.actor,
    );
    return showApplication(page, section, application, secret);
  }

  async askToRemove(page: PageContext, section: ApplicationSection, id: number): Promise<PageAnswer> {
    const { name } = await this.find(page, section, id);
    const base = `${section.path}/${id}`;
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

  async remove(page: PageContext, section: ApplicationSection, id: number): Promise<PageAnswer> {
    await this.applications.remove(id, ofSection(page, section), page.actor);
    return page.redirect(section.path, { flash: 'application_removed' });
  }

  private async find(page: PageContext, section: ApplicationSection, id: number): Promise<ApplicationRow> {
    const application = await this.queries.find(id);
    assertOfSection(application, page, section);
    return application;
  }
}

const ofSection =
  (page: PageContext, section: ApplicationSection): AssertManaged =>
  (application) =>
    assertOfSection(application, page, section);

function assertOfSection(
  { ownerId }: Pick<ApplicationRow, 'ownerId'>,
  page: PageContext,
  section: ApplicationSection,
): void {
  if (ownerId !== ownerOf(section, page)) throw notFound('Application');
}

const showApplication = (
  page: PageContext,
  section: ApplicationSection,
  application: ApplicationRow,
  secret: string | null,
): PageAnswer =>
  page.render(
    application.name,
    applicationView(section, application, application.confidential ? secret : null),
  );

function changeForm(
  page: PageContext,
  section: ApplicationSection,
  id: number,
  values: ApplicationForm,
  errors: readonly FieldError[],
): PageAnswer {
  const action = `${section.path}/${id}`;
  const target = {
    action,
    method: 'put',
    button: 'Save application',
    back: action,
    csrfToken: page.csrfToken,
  } as const;
  return page.render('Edit application', applicationForm(section, values, errors, target), { errors });
}
