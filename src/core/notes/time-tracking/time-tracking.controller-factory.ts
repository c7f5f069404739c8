import { Controller, Get, Post, type Type } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import type { Noteable } from '../noteables/noteable.js';
import { NoteableRegistry } from '../noteables/noteable.registry.js';
import { forReporters, NoteableRef, type NoteableRoutes } from '../noteables/noteable-routes.js';
import { presentTimeStats, TimeStatsRecord } from './time-stats.record.js';
import { EstimateTimeParams, SpendTimeParams } from './time-tracking.params.js';
import { TimeTrackingService, type TimedType } from './time-tracking.service.js';

/**
 * Creates the time tracking controller of issues or merge requests (`planning.md` 5.8). `name`: name of the
 * class.
 */
export function timeTrackingController(
  name: string,
  { type, path, param, access }: NoteableRoutes & { readonly type: TimedType },
): Type {
  const write = forReporters(access);
  class NoteableParams {
    @NoteableRef(param)
    ref!: number;
  }
  class EstimateParams extends EstimateTimeParams {
    @NoteableRef(param)
    ref!: number;
  }
  class SpendParams extends SpendTimeParams {
    @NoteableRef(param)
    ref!: number;
  }

  @Controller(`api/v4/${path}`)
  class TimeTrackingController {
    constructor(
      private readonly noteables: NoteableRegistry,
      private readonly times: TimeTrackingService,
    ) {}

    @Get('time_stats')
    @Access({ ...access, anyone: true })
    @Returns(TimeStatsRecord)
    async stats(
      @CurrentCaller() caller: Caller,
      @Params() { ref }: NoteableParams,
    ): Promise<TimeStatsRecord> {
      return this.present(await this.find(caller, ref));
    }

    @Post('time_estimate')
    @Access(write)
    @Returns(TimeStatsRecord)
    async estimate(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref, duration }: EstimateParams,
    ): Promise<TimeStatsRecord> {
      const noteable = await this.find(caller, ref);
      await this.times.estimate(caller, noteable, duration);
      return this.present(noteable);
    }

    @Post('reset_time_estimate')
    @Access(write)
    @Returns(TimeStatsRecord)
    async resetEstimate(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref }: NoteableParams,
    ): Promise<TimeStatsRecord> {
      const noteable = await this.find(caller, ref);
      await this.times.estimate(caller, noteable, '0');
      return this.present(noteable);
    }

    @Post('add_spent_time')
    @Access(write)
    @Returns(TimeStatsRecord, 201)
    async spend(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref, duration, summary }: SpendParams,
    ): Promise<TimeStatsRecord> {
      const noteable = await this.find(caller, ref);
      await this.times.spend(caller, noteable, duration, summary ?? null);
      return this.present(noteable);
    }

    @Post('reset_spent_time')
    @Access(write)
    @Returns(TimeStatsRecord)
    async resetSpent(
      @CurrentCaller() caller: UserCaller,
      @Params() { ref }: NoteableParams,
    ): Promise<TimeStatsRecord> {
      const noteable = await this.find(caller, ref);
      await this.times.resetSpent(caller, noteable);
      return this.present(noteable);
    }

    private find(caller: Caller, ref: number): Promise<Noteable> {
      return this.noteables.of(type).find(caller, ref);
    }

    private async present({ id }: Noteable): Promise<TimeStatsRecord> {
      return presentTimeStats(await this.times.stats(type, id as number));
    }
  }
  return named(TimeTrackingController, name);
}
