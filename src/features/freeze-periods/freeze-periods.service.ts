import { Injectable } from '@nestjs/common';
import { differs } from '#kernel/database/base.entity.js';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { WaitingJobsService } from '#core/ci/watch/waiting-jobs.service.js';
import { LOCK_PROJECT } from '#core/projects/writes/lock-project.sql.js';
import { FreezePeriod } from './freeze-period.entity.js';
import type { CreateFreezePeriodParams, UpdateFreezePeriodParams } from './freeze-periods.params.js';
import { CronSchedule } from './times/cron-schedule.js';
import { ZoneClock } from './times/zone-clock.js';

/** Limit of periods, because each deployment evaluates all of them. */
export const MAX_PERIODS = 1_000;

type Given = Partial<Omit<UpdateFreezePeriodParams, 'freeze_period_id'>>;
type Times = Pick<FreezePeriod, 'freezeStart' | 'freezeEnd' | 'cronTimezone'>;

const isCron = (text: string): boolean => CronSchedule.parse(text) !== null;
const isZone = (text: string): boolean => ZoneClock.of(text) !== null;

const RULES = [
  { name: 'freeze_start', property: 'freezeStart', isValid: isCron },
  { name: 'freeze_end', property: 'freezeEnd', isValid: isCron },
  { name: 'cron_timezone', property: 'cronTimezone', isValid: isZone },
] as const;

/** Manages freeze periods of projects (`ci.md` 4). */
@Injectable()
export class FreezePeriodsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly waiting: WaitingJobsService,
  ) {}

  /** Creates a freeze period and returns its id. @throws 400 */
  create(projectId: number, params: CreateFreezePeriodParams): Promise<number> {
    const times = timesOf(params);
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_PROJECT, [projectId]);
      if ((await tx.countBy(FreezePeriod, { projectId })) >= MAX_PERIODS)
        throw invalid({ base: [`a project can have at most ${MAX_PERIODS} freeze periods`] });
      const created = await tx.insert(FreezePeriod, { projectId, cronTimezone: 'UTC', ...times });
      return (created.identifiers[0] as { id: number }).id;
    });
  }

  /** Updates a freeze period; what it already has leaves its time of change. @throws 400, 404 */
  update(projectId: number, id: number, changes: Given): Promise<void> {
    return this.transactions.run(async (tx) => {
      const former = await lock(tx, projectId, id);
      const times = timesOf(changes);
      if (!differs(former, times)) return;
      await tx.update(FreezePeriod, { id }, { ...times, updatedAt: clock });
      await this.waiting.askAgain(tx, projectId);
    });
  }

  /** Removes a freeze period. @throws 404, 412 */
  remove(projectId: number, id: number, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { updatedAt } = await lock(tx, projectId, id);
      unmodified(updatedAt);
      await tx.delete(FreezePeriod, { id });
      await this.waiting.askAgain(tx, projectId);
    });
  }
}

async function lock(tx: Tx, projectId: number, id: number): Promise<FreezePeriod> {
  const found = await tx.findOne(FreezePeriod, {
    where: { id, projectId },
    lock: { mode: 'pessimistic_write' },
  });
  if (!found) throw notFound('Freeze Period');
  return found;
}

/** Validates the given times. @throws 400 with all problems */
function timesOf(given: Given): Partial<Times> {
  const times: Partial<Times> = {};
  const problems: Record<string, string[]> = {};
  for (const { name, property, isValid } of RULES) {
    const text = given[name];
    if (text === undefined) continue;
    if (text === null || text === '') problems[name] = ["can't be blank"];
    else if (!isValid(text)) problems[name] = ['is invalid syntax'];
    else times[property] = text;
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return times;
}
