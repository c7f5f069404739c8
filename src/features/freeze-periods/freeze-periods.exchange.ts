import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import { neededTextIn, textIn, timeIn, type SourceRecord } from '#core/exchange/source-record.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { LOCK_PROJECT } from '#core/projects/writes/lock-project.sql.js';
import { MAX_PERIODS } from './freeze-periods.service.js';
import { CronSchedule } from './times/cron-schedule.js';
import { ZoneClock } from './times/zone-clock.js';

const MAX_TEXT = 255;

/** A validated freeze period. */
interface ImportedFreezePeriod {
  readonly freeze_start: string;
  readonly freeze_end: string;
  readonly cron_timezone: string;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

const EXPORT = `select f.id, json_build_object('id', f.id, 'freeze_start', f.freeze_start, 'freeze_end', f.freeze_end,
    'cron_timezone', f.cron_timezone, 'created_at', ${isoTimeSql('f.created_at')}, 'updated_at', ${isoTimeSql('f.updated_at')})::text as json
  from freeze_periods f where f.project_id = $1 and f.id > $2 order by f.id limit $3`;

const COUNT = 'select count(*)::int as count from freeze_periods where project_id = $1';

const WRITE = `insert into freeze_periods (project_id, freeze_start, freeze_end, cron_timezone, created_at, updated_at)
  select $1, r.freeze_start, r.freeze_end, r.cron_timezone, coalesce(r.created_at, now()), coalesce(r.updated_at, r.created_at, now())
  from json_to_recordset($2::json) as r(freeze_start text, freeze_end text, cron_timezone text, created_at timestamptz, updated_at timestamptz)
  returning id`;

/** Exports and imports freeze periods, which v4 servers do not. */
@Injectable()
export class FreezePeriodsExchange implements OnModuleInit {
  constructor(private readonly exchanges: ExchangesRegistry) {}

  onModuleInit(): void {
    this.exchanges.register({
      of: 'project',
      relation: 'freeze_periods',
      stage: STAGES.project.content,
      isExtension: true,
      batchable: false,
      page: EXPORT,
      titledBy: ['freeze_start'],
      keyedBy: ['id'],
      transform,
      load,
    });
  }
}

function transform(record: SourceRecord): ImportedFreezePeriod {
  const zone = textIn(record, 'cron_timezone', MAX_TEXT) ?? 'UTC';
  if (ZoneClock.of(zone) === null) throw new RecordRefused('cron_timezone is invalid syntax');
  return {
    freeze_start: cronIn(record, 'freeze_start'),
    freeze_end: cronIn(record, 'freeze_end'),
    cron_timezone: zone,
    created_at: timeIn(record, 'created_at'),
    updated_at: timeIn(record, 'updated_at'),
  };
}

async function load(
  tx: Tx,
  { ownerId }: ImportTarget,
  rows: readonly ImportedFreezePeriod[],
): Promise<number[]> {
  await tx.query(LOCK_PROJECT, [ownerId]);
  const [known] = await tx.query<[{ count: number }]>(COUNT, [ownerId]);
  if (known.count + rows.length > MAX_PERIODS)
    throw new RecordRefused(`a project can have at most ${MAX_PERIODS} freeze periods`);
  const written = await tx.query<{ id: number }[]>(WRITE, [ownerId, JSON.stringify(rows)]);
  return written.map(({ id }) => id);
}

function cronIn(record: SourceRecord, name: string): string {
  const text = neededTextIn(record, name, MAX_TEXT);
  if (CronSchedule.parse(text) === null) throw new RecordRefused(`${name} is invalid syntax`);
  return text;
}
