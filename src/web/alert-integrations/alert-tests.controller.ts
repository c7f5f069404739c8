import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { readJson } from '#kernel/http/bodies/json/parse-body.js';
import { Params } from '#kernel/http/fields/params.js';
import { TestAlertsService } from '#features/alerts/integrations/testing/test-alerts.service.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { MONITOR_SETTINGS_READ } from '../monitor-settings.access.js';
import { Page, type PageContext } from '../page-context.js';
import { TestForm } from './integration-form.js';
import { IntegrationPagesService } from './integration-pages.service.js';

/** Sends a test alert from the page of an integration, which then shows the result. */
@Controller('-/projects/:project_id/alert_integrations/:integration_id/test')
export class AlertTestsController {
  constructor(
    private readonly alerts: TestAlertsService,
    private readonly pages: IntegrationPagesService,
  ) {}

  @Post()
  @Access(MONITOR_SETTINGS_READ)
  @ReturnsPage()
  async send(
    @Page() page: PageContext,
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { integration_id: id, payload }: TestForm,
  ): Promise<PageAnswer> {
    const source = await this.alerts.source(project, id);
    try {
      const taken = await this.alerts.send(project, source, readJson(Buffer.from(payload)));
      return await this.pages.show(page, project, caller, id, { payload, taken });
    } catch (error) {
      return this.pages.show(page, project, caller, id, { payload, errors: atPayload(fieldErrorsOf(error)) });
    }
  }
}

/** Start of the API's error message for a rejected payload. */
const REFUSAL = /^400 Bad request(?: - )?/;

/** Assigns all errors to the payload field: the form has no other. */
const atPayload = (errors: readonly FieldError[]): FieldError[] =>
  errors.map(({ text }) => {
    const what = text.replace(REFUSAL, '') || 'no alert';
    return { field: 'payload', text: REFUSAL.test(text) ? `The payload is ${what}` : text };
  });
