import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { StatisticsQueries } from './statistics.queries.js';

const NAMES = [
  'forks',
  'issues',
  'merge_requests',
  'notes',
  'snippets',
  'ssh_keys',
  'milestones',
  'users',
  'groups',
  'projects',
  'active_users',
] as const;

/** Counts of the instance, as texts with thousands separators. */
export class StatisticsRecord {
  [name: string]: string;
}
for (const name of NAMES) Text({ example: '1,234' })(StatisticsRecord.prototype, name);

/** Statistics of the instance. */
@Controller('api/v4/application/statistics')
export class StatisticsController {
  constructor(private readonly queries: StatisticsQueries) {}

  @Get()
  @Access({ admin: true })
  @Returns(StatisticsRecord)
  async find(): Promise<StatisticsRecord> {
    const counts = await this.queries.all();
    return Object.fromEntries(NAMES.map((name) => [name, (counts.get(name) ?? 0).toLocaleString('en-US')]));
  }
}
