import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { AlertIntegrationsPresenter } from '#features/alerts/integrations/alert-integrations.presenter.js';
import { AlertIntegrationsQueries } from '#features/alerts/integrations/alert-integrations.queries.js';
import type { FieldError } from '../forms/form-fields.view.js';
import type { PageContext } from '../page-context.js';
import { formOf, type IntegrationValues } from './integration-form.js';
import { integrationForm } from './integration-form.view.js';
import { integrationView, type TakenAlert } from './integration.view.js';
import { samplePayload } from './integration-words.js';
import { integrationPath, integrationsPath } from './paths.js';

/** Whether somebody may set integrations up, and see their keys. */
export const mayManage = ({ role }: Pick<Caller, 'role'>): boolean => role >= Role.Maintainer;

/** What a button of the page has led to. */
export interface Outcome {
  /** The payload of a test, to be shown again. */
  readonly payload?: string;
  readonly taken?: readonly TakenAlert[] | null;
  readonly errors?: readonly FieldError[];
}

/** The pages of single integrations, for handlers to answer with. */
@Injectable()
export class IntegrationPagesService {
  constructor(
    private readonly queries: AlertIntegrationsQueries,
    private readonly presenter: AlertIntegrationsPresenter,
  ) {}

  /** An integration, with what a button of its page has led to. @throws 404 */
  async show(
    page: PageContext,
    project: ProjectSubject,
    caller: Pick<Caller, 'role'>,
    id: number,
    { payload, taken = null, errors = [] }: Outcome = {},
  ): Promise<PageAnswer> {
    const row = await this.queries.find(project.id, id);
    const body = integrationView({
      row,
      record: mayManage(caller) ? this.presenter.present(row, project, true) : null,
      payload: payload ?? samplePayload(row.type),
      canTest: row.active && row.type !== 'external' && !project.archived,
      errors,
      taken,
      csrfToken: page.csrfToken,
    });
    return page.render(row.name, body, { errors, wide: true });
  }

  /** The form of a new integration, with what is wrong with it. */
  makeForm(
    page: PageContext,
    { id }: ProjectSubject,
    values: IntegrationValues,
    errors: readonly FieldError[] = [],
  ): PageAnswer {
    const action = integrationsPath(id);
    const target = {
      action,
      method: 'post',
      button: 'Create integration',
      back: action,
      type: null,
    } as const;
    const body = integrationForm(values, errors, { ...target, csrfToken: page.csrfToken });
    return page.render('New alert integration', body, { errors });
  }

  /** The form of an integration as it is, or as somebody wants it. @throws 404 */
  async changeForm(
    page: PageContext,
    project: ProjectSubject,
    id: number,
    wanted?: IntegrationValues,
    errors: readonly FieldError[] = [],
  ): Promise<PageAnswer> {
    const row = await this.queries.find(project.id, id);
    const values = wanted ?? formOf(this.presenter.present(row, project, true));
    const action = integrationPath(project.id, id);
    const target = {
      action,
      method: 'put',
      button: 'Save integration',
      back: action,
      type: row.type,
    } as const;
    const body = integrationForm(values, errors, { ...target, csrfToken: page.csrfToken });
    return page.render('Edit alert integration', body, { errors });
  }
}
