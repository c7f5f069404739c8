import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { CiModule } from '#core/ci/ci.module.js';
import { EnvironmentsModule } from '#core/environments/environments.module.js';
import { FreezeEnforcementPolicy } from './freeze-enforcement.policy.js';
import { FreezeGateContribution } from './freeze-gate.contribution.js';
import { FreezeOverridesService } from './freeze-overrides.service.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { FreezePeriodsExchange } from './freeze-periods.exchange.js';
import { FreezePeriod } from './freeze-period.entity.js';
import { FreezePeriodsController } from './freeze-periods.controller.js';
import { FreezePeriodsQueries } from './freeze-periods.queries.js';
import { FreezePeriodsService } from './freeze-periods.service.js';
import { FreezeVariablesContribution } from './freeze-variables.contribution.js';

/** Freeze periods: when projects must not be deployed. */
@Module({
  imports: [
    TypeOrmModule.forFeature([FreezePeriod]),
    AuditModule,
    CiModule,
    EnvironmentsModule,
    ExchangeModule,
  ],
  controllers: [FreezePeriodsController],
  providers: [
    FreezePeriodsService,
    FreezePeriodsQueries,
    FreezeVariablesContribution,
    FreezeEnforcementPolicy,
    FreezeGateContribution,
    FreezeOverridesService,
    FreezePeriodsExchange,
  ],
  exports: [FreezeEnforcementPolicy],
})
export class FreezePeriodsModule {}
