import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { AuditEventRecord, presentAuditEvent } from './audit-event.record.js';
import { FindAuditEventParams, ListAuditEventsParams } from './audit-events.params.js';
import { AuditEventsQueries } from './audit-events.queries.js';
import { auditedSubject } from './audited-subject.js';

/** Audit events of a project itself: all for Maintainers, their own for those from Developer on. */
@Controller('api/v4/projects/:id/audit_events')
export class ProjectAuditEventsController {
  constructor(private readonly events: AuditEventsQueries) {}

  @Get()
  @Access({ project: Role.Developer, tier: Tier.Premium })
  @ReturnsList(AuditEventRecord)
  async list(
    @CurrentCaller() caller: Caller,
    @Params() params: ListAuditEventsParams,
    @Paged() page: Page,
  ): Promise<AuditEventRecord[]> {
    const query = this.events.listOf(auditedSubject(caller, Role.Maintainer), params);
    return (await page.load(query)).map(presentAuditEvent);
  }

  @Get(':audit_event_id')
  @Access({ project: Role.Developer, tier: Tier.Premium })
  @Returns(AuditEventRecord)
  async find(
    @CurrentCaller() caller: Caller,
    @Params() params: FindAuditEventParams,
  ): Promise<AuditEventRecord> {
    const subject = auditedSubject(caller, Role.Maintainer);
    return presentAuditEvent(await this.events.find(params.audit_event_id, subject));
  }
}
