import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { SessionsModule } from '#core/sessions/sessions.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { ChangeTwoFactor } from './change-two-factor.js';
import { DisableTwoFactorController } from './disable-two-factor.controller.js';
import { RecoveryCode } from './codes/recovery-code.entity.js';
import { SecondFactorCheck } from './second-factor-check.js';
import { TwoFactorAudit } from './two-factor-audit.js';
import { TwoFactorListener } from './two-factor.listener.js';
import { TwoFactorQueries } from './two-factor.queries.js';
import { TwoFactorService } from './two-factor.service.js';
import { TwoFactorSetUps } from './two-factor-set-up.js';
import { UserTwoFactor } from './user-two-factor.entity.js';

/** Second factors: authenticators and recovery codes. */
@Module({
  imports: [
    TypeOrmModule.forFeature([UserTwoFactor, RecoveryCode]),
    AuditModule,
    UsersModule,
    SessionsModule,
  ],
  controllers: [DisableTwoFactorController],
  providers: [
    TwoFactorService,
    TwoFactorSetUps,
    ChangeTwoFactor,
    SecondFactorCheck,
    TwoFactorQueries,
    TwoFactorAudit,
    TwoFactorListener,
  ],
  exports: [TwoFactorSetUps, ChangeTwoFactor, SecondFactorCheck, TwoFactorQueries],
})
export class TwoFactorModule {}
