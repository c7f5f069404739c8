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
import { samplePayload } from './integration-texts.js';
import { integrationPath, integrationsPath } from './paths.js';

/** Whether the user may manage integrations and see their keys. */
export const mayManage = ({ role }: Pick<Caller, 'role'>): boolean => role >= Role.Maintainer;

/** Result of an action on the page. */
export interface Outcome {
  /** The test payload, to be shown again. */
  readonly payload?: string;
  readonly taken?: readonly TakenAlert[] | null;
  readonly errors?: readonly FieldError[];
}

/** Builds the pages of single integrations for their handlers. */
@Injectable()
export class IntegrationPagesService {
  constructor(
    private readonly queries: AlertIntegrationsQueries,
    private readonly presenter: AlertIntegrationsPresenter,
  ) {}

  /** Renders an integration with the result of an action on its page. @throws 404 */
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

  /** Renders the form of a new integration with its errors. */
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

  /** Renders the form of an existing integration, with the stored or the entered values. @throws 404 */
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
