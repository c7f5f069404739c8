import { Controller, Get, type Type } from '@nestjs/common';
import { Access, type OwnerRule } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import { AuditEventRecord, presentAuditEvent } from './audit-event.record.js';
import { FindAuditEventParams, ListAuditEventsParams } from './audit-events.params.js';
import { AuditEventsQueries } from './audit-events.queries.js';
import { auditedSubject } from './audited-subject.js';

/**
 * Creates the controller of the audit events of groups or projects: all for the role `all`, their own for
 * lower ones. `name`: name of the class.
 */
function auditEventsController(name: string, path: string, rule: OwnerRule, all: Role): Type {
  @Controller(path)
  class OwnedAuditEventsController {
    constructor(private readonly events: AuditEventsQueries) {}

    @Get()
    @Access(rule)
    @ReturnsList(AuditEventRecord)
    async list(
      @CurrentCaller() caller: Caller,
      @Params() params: ListAuditEventsParams,
      @Paged() page: Page,
    ): Promise<AuditEventRecord[]> {
      const query = this.events.listOf(auditedSubject(caller, all), params);
      return (await page.load(query)).map(presentAuditEvent);
    }

    @Get(':audit_event_id')
    @Access(rule)
    @Returns(AuditEventRecord)
    async find(
      @CurrentCaller() caller: Caller,
      @Params() params: FindAuditEventParams,
    ): Promise<AuditEventRecord> {
      const subject = auditedSubject(caller, all);
      return presentAuditEvent(await this.events.find(params.audit_event_id, subject));
    }
  }

  return named(OwnedAuditEventsController, name);
}

/**
 * Controllers of audit events of groups and projects: all for managers, their own for Developers and above.
 */
export const ownedAuditEventsControllers: readonly Type[] = [
  auditEventsController(
    'GroupAuditEventsController',
    'api/v4/groups/:id/audit_events',
    { group: Role.Developer, tier: Tier.Premium },
    Role.Owner,
  ),
  auditEventsController(
    'ProjectAuditEventsController',
    'api/v4/projects/:id/audit_events',
    { project: Role.Developer, tier: Tier.Premium },
    Role.Maintainer,
  ),
];
