import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RecordRefused } from '#core/exchange/record-refused.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import type { Failure } from '../failure.row.js';
import { ImportLimits } from '../import-limits.js';
import type { RelationRun } from '../runs/relation-run.js';
import { SourceUsersService } from '../users/source-users.service.js';
import type { LineBatch } from './lines/line-batches.js';
import { parseLine } from './lines/parse-line.js';
import type { Takers } from './load-batch.step.js';
import type { PreparedBatch, PreparedRow } from './prepared-batch.js';
import type { WaitingTime } from './turn.js';

/** Limit of characters of a record's key. */
const MAX_KEY = 500;

/** Bytes of records that are parsed or transformed before others have a turn. */
const A_TURN = 256 * 1024;

/** A record with its key. */
interface Found {
  readonly record: SourceRecord;
  readonly key: string;
  readonly title: string | null;
  readonly bytes: number;
}

/** Parses and validates the records of a batch; skips invalid ones. */
@Injectable()
export class PrepareBatchStep {
  constructor(
    private readonly users: SourceUsersService,
    private readonly limits: ImportLimits,
  ) {}

  /** Prepares a batch. @throws SourceBusy, SourceRefused, TurnOver if users cannot be looked up */
  async run(
    run: RelationRun,
    { pipeline, parts }: Takers,
    { lines }: LineBatch,
    waiting: WaitingTime,
  ): Promise<PreparedBatch> {
    const failures: Failure[] = [];
    const found: Found[] = [];
    const userIds: number[] = [];
    for await (const line of inTurns(lines, ({ line: json }) => json?.length ?? 0)) {
      let title: string | null = `Line ${line.number}`;
      let step: Failure['step'] = 'extractor';
      try {
        const record = await parseLine(line, this.limits);
        step = 'transformer';
        title = pipeline.title(record);
        const bytes = line.line?.length ?? 0;
        found.push({ record, key: checkedKey(pipeline.key(record)), title, bytes });
        for (const one of [pipeline, ...parts]) userIds.push(...one.userIds(record));
      } catch (error) {
        failures.push({ step, error, title });
      }
    }
    const users = await waiting.spend(() => this.users.resolve(run.entity, run.source, userIds, waiting));
    const target = await run.targetWith(users);
    const rows: PreparedRow[] = [];
    for await (const { record, key, title } of inTurns(onlyFirst(found), ({ bytes }) => bytes))
      try {
        rows.push({ key, title, record, row: pipeline.transform(record, target) });
      } catch (error) {
        failures.push({ step: 'transformer', error, title });
      }
    return { target, rows, failures, fetched: lines.length };
  }
}

function checkedKey(key: string): string {
  if (key.length > MAX_KEY || key.includes('\0') || !key.isWellFormed())
    throw new RecordRefused('The record has no usable name');
  return key;
}

function onlyFirst(found: readonly Found[]): readonly Found[] {
  const keys = new Set<string>();
  return found.filter(({ key }) => !keys.has(key) && keys.add(key));
}

async function* inTurns<T>(items: readonly T[], bytesOf: (item: T) => number): AsyncGenerator<T> {
  let bytes = 0;
  for (const item of items) {
    yield item;
    bytes += bytesOf(item);
    if (bytes < A_TURN) continue;
    bytes = 0;
    await nextTurn();
  }
}
