import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { Count, Integer, OneOf } from '#kernel/http/fields/scalar-fields.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { ChangePlanLimits } from './change-plan-limits.use-case.js';
import type { PlanLimits } from './plan-limits.js';
import { SettingsService } from '../settings/settings.service.js';

const MAX_INTEGER = 2_147_483_647;
/** Above the maximum size of objects in any storage. */
const PEBIBYTE = 2 ** 50;

/** Plan of the limits; an instance has only those of the default plan. */
export class FindPlanLimitsParams {
  @OneOf(['default'], { optional: true })
  plan_name?: string;
}

/** Parameters of a change of limits. */
export class ChangePlanLimitsParams {
  @OneOf(['default'])
  plan_name!: string;

  @Integer({ optional: true, min: 0, max: MAX_INTEGER, description: 'Megabytes of a trace' })
  ci_jobs_trace_size_limit?: number;

  @Integer({ optional: true, min: 0, max: MAX_INTEGER })
  ci_registered_group_runners?: number;

  @Integer({ optional: true, min: 0, max: MAX_INTEGER })
  ci_registered_project_runners?: number;

  @Integer({ optional: true, min: 0, max: PEBIBYTE, description: 'Bytes' })
  generic_packages_max_file_size?: number;
}

/** Limits of the instance; 0 for none. */
export class PlanLimitsRecord implements PlanLimits {
  @Count({ description: 'Megabytes of a trace' })
  ci_jobs_trace_size_limit!: number;

  @Count()
  ci_registered_group_runners!: number;

  @Count()
  ci_registered_project_runners!: number;

  @Count({ description: 'Bytes' })
  generic_packages_max_file_size!: number;
}

/** Limits of the instance. */
@Controller('api/v4/application/plan_limits')
export class PlanLimitsController {
  constructor(
    private readonly settings: SettingsService,
    private readonly changes: ChangePlanLimits,
  ) {}

  @Get()
  @Access({ admin: true })
  @Returns(PlanLimitsRecord)
  find(@Params() _params: FindPlanLimitsParams): PlanLimitsRecord {
    return this.present();
  }

  @Put()
  @Access({ admin: true })
  @Returns(PlanLimitsRecord)
  async update(
    @CurrentActor() actor: Actor,
    @Params() { plan_name: plan, ...changes }: ChangePlanLimitsParams,
  ): Promise<PlanLimitsRecord> {
    await this.changes.run(actor, plan, changes);
    return this.present();
  }

  private present(): PlanLimitsRecord {
    const {
      ci_jobs_trace_size_limit,
      ci_registered_group_runners,
      ci_registered_project_runners,
      generic_packages_max_file_size,
    } = this.settings.limits;
    return {
      ci_jobs_trace_size_limit,
      ci_registered_group_runners,
      ci_registered_project_runners,
      generic_packages_max_file_size,
    };
  }
}
