import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { CiModule } from '#core/ci/ci.module.js';
import { CiRunnersModule } from '#core/ci/runners/ci-runners.module.js';

/** Runners as people and tools see and change them. */
@Module({ imports: [AuditModule, CiModule, CiRunnersModule] })
export class RunnerAdminModule {}
