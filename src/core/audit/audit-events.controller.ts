import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Tier } from '#kernel/access/roles.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { AuditEventRecord, presentAuditEvent } from './audit-event.record.js';
import { FindInstanceAuditEventParams, ListInstanceAuditEventsParams } from './audit-events.params.js';
import { AuditEventsQueries } from './audit-events.queries.js';

/** All audit events of the instance. */
@Controller('api/v4/audit_events')
export class AuditEventsController {
  constructor(private readonly events: AuditEventsQueries) {}

  @Get()
  @Access({ admin: true, tier: Tier.Premium })
  @ReturnsList(AuditEventRecord)
  async list(
    @Params() params: ListInstanceAuditEventsParams,
    @Paged() page: Page,
  ): Promise<AuditEventRecord[]> {
    return (await page.load(this.events.listAll(params))).map(presentAuditEvent);
  }

  @Get(':id')
  @Access({ admin: true, tier: Tier.Premium })
  @Returns(AuditEventRecord)
  async find(@Params() { id }: FindInstanceAuditEventParams): Promise<AuditEventRecord> {
    return presentAuditEvent(await this.events.find(id));
  }
}
