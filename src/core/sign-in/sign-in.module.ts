import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { SessionsModule } from '#core/sessions/sessions.module.js';
import { TwoFactorModule } from '#core/two-factor/two-factor.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { ChangeOwnPassword } from './change-own-password.use-case.js';
import { LoginsQueries } from './logins.queries.js';
import { PasswordCheckService } from './password-check.service.js';
import { ProtectedPathsLimit } from './protected-paths.limit.js';
import { SignInService } from './sign-in.service.js';

const services = [PasswordCheckService, ProtectedPathsLimit, SignInService, ChangeOwnPassword];

/** Signing in by password: checks, throttling, and sessions. */
@Module({
  imports: [InstanceModule, AuditModule, UsersModule, SessionsModule, TwoFactorModule],
  providers: [...services, LoginsQueries],
  exports: services,
})
export class SignInModule {}
