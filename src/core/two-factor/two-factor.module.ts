import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { SessionsModule } from '#core/sessions/sessions.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { TwoFactorChangesService } from './two-factor-changes.service.js';
import { DisableTwoFactorController } from './disable-two-factor.controller.js';
import { RecoveryCode } from './codes/recovery-code.entity.js';
import { SecondFactorCheckService } from './second-factor-check.service.js';
import { TwoFactorAudit } from './two-factor.audit.js';
import { TwoFactorListener } from './two-factor.listener.js';
import { TwoFactorQueries } from './two-factor.queries.js';
import { TwoFactorService } from './two-factor.service.js';
import { TwoFactorSetUpService } from './two-factor-set-up.service.js';
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
    TwoFactorSetUpService,
    TwoFactorChangesService,
    SecondFactorCheckService,
    TwoFactorQueries,
    TwoFactorAudit,
    TwoFactorListener,
  ],
  exports: [TwoFactorSetUpService, TwoFactorChangesService, SecondFactorCheckService, TwoFactorQueries],
})
export class TwoFactorModule {}
