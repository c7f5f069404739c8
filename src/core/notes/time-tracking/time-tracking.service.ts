import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { humanDuration, parseDuration } from './durations.js';
import type { Noteable } from '../noteables/noteable.js';
import { SystemNotesService, type NoteTarget } from '../system-notes.service.js';
import type { TimeStatsRow } from './time-stats.record.js';

/** Types with time tracking. */
export type TimedType = 'Issue' | 'MergeRequest';

const TABLES: Readonly<Record<TimedType, string>> = { Issue: 'issues', MergeRequest: 'merge_requests' };

const LOG = `insert into timelogs (target_type, target_id, project_id, user_id, seconds, summary, spent_at)
  values ($1, $2, $3, $4, $5, $6, coalesce($7, now()))`;

/** Manages estimates and spent time of issues and merge requests (`planning.md` 5.8). */
@Injectable()
export class TimeTrackingService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly systemNotes: SystemNotesService,
  ) {}

  /** Returns both times. @throws 404 */
  async stats(type: TimedType, id: number): Promise<TimeStatsRow> {
    const row = await this.database.one<TimeStatsRow>(
      `select time_estimate, total_time_spent from ${TABLES[type]} where id = $1`,
      [id],
    );
    if (!row) throw notFound(type === 'Issue' ? 'Issue' : 'Merge Request');
    return row;
  }

  /** Sets the estimate; zero removes it. @throws 400 if the duration is invalid */
  async estimate(caller: UserCaller, noteable: Noteable, duration: string): Promise<void> {
    const seconds = parseDuration(duration);
    if (seconds === null || seconds < 0) throw invalid({ duration: ['is invalid'] });
    await this.change(noteable, async (tx, target, before) => {
      if (before.time_estimate === seconds) return;
      await this.store(tx, target, { ...before, time_estimate: seconds });
      const human = humanDuration(seconds);
      const text = human === null ? 'removed time estimate' : `changed time estimate to ${human}`;
      await this.systemNotes.write(tx, target, actorOf(caller), 'time_tracking', text);
    });
  }

  /**
   * Adds spent time, at `spentAt` or now, or subtracts some. @throws 400 if the duration is invalid, or
   * exceeds what was spent
   */
  async spend(
    caller: UserCaller,
    noteable: Noteable,
    duration: string,
    summary: string | null,
    spentAt: Date | null = null,
  ): Promise<void> {
    const seconds = parseDuration(duration);
    if (seconds === null || seconds === 0) throw invalid({ duration: ['is invalid'] });
    await this.change(noteable, async (tx, target, before) => {
      const total = before.total_time_spent + seconds;
      if (total < 0) throw invalid({ duration: ['is more than the time spent'] });
      if (!Number.isSafeInteger(total)) throw invalid({ duration: ['is invalid'] });
      await this.log(tx, target, { userId: actorOf(caller), seconds, summary, spentAt });
      await this.store(tx, target, { ...before, total_time_spent: total });
      const verb = seconds > 0 ? 'added' : 'subtracted';
      const text = `${verb} ${humanDuration(Math.abs(seconds)) ?? ''} of time spent`;
      await this.systemNotes.write(tx, target, actorOf(caller), 'time_tracking', text);
    });
  }

  /** Removes all spent time. */
  async resetSpent(caller: UserCaller, noteable: Noteable): Promise<void> {
    await this.change(noteable, async (tx, target, before) => {
      if (before.total_time_spent === 0) return;
      const back = { seconds: -before.total_time_spent, summary: null, spentAt: null };
      await this.log(tx, target, { userId: actorOf(caller), ...back });
      await this.store(tx, target, { ...before, total_time_spent: 0 });
      await this.systemNotes.write(tx, target, actorOf(caller), 'time_tracking', 'removed time spent');
    });
  }

  private async change(
    noteable: Noteable,
    work: (tx: Tx, target: TimedTarget, before: TimeStatsRow) => Promise<void>,
  ): Promise<void> {
    const target = noteable as unknown as TimedTarget;
    await this.transactions.run(async (tx) => {
      const [before] = await tx.query<TimeStatsRow[]>(
        `select time_estimate, total_time_spent from ${TABLES[target.type]} where id = $1 for no key update`,
        [target.id],
      );
      if (!before) throw notFound(target.type === 'Issue' ? 'Issue' : 'Merge Request');
      await work(tx, target, before);
    });
  }

  private async store(tx: Tx, { type, id }: TimedTarget, after: TimeStatsRow): Promise<void> {
    await tx.query(
      `update ${TABLES[type]} set time_estimate = $2, total_time_spent = $3, updated_at = ${STATEMENT_TIME} where id = $1`,
      [id, after.time_estimate, after.total_time_spent],
    );
  }

  private async log(
    tx: Tx,
    { type, id, projectId }: TimedTarget,
    { userId, seconds, summary, spentAt }: Timelog,
  ): Promise<void> {
    await tx.query(LOG, [type, id, projectId, userId, seconds, summary, spentAt]);
  }
}

interface Timelog {
  readonly userId: number;
  readonly seconds: number;
  readonly summary: string | null;
  readonly spentAt: Date | null;
}

type TimedTarget = NoteTarget & { readonly type: TimedType };

const actorOf = ({ actor }: UserCaller): number => actor.id;
