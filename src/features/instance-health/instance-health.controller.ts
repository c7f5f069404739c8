import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { InstanceHealthQueries } from './instance-health.queries.js';
import { InstanceHealthRecord } from './instance-health.record.js';

/** The state of the instance, for administrators. */
@Controller('api/v4/admin/health')
export class InstanceHealthController {
  constructor(private readonly health: InstanceHealthQueries) {}

  @Get()
  @Access({ admin: true })
  @Returns(InstanceHealthRecord)
  find(): Promise<InstanceHealthRecord> {
    return this.health.now();
  }
}
