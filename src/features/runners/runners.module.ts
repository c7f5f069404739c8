import { Module } from '@nestjs/common';
import { RunnerAdminModule } from './admin/runner-admin.module.js';
import { RunnerProtocolModule } from './protocol/runner-protocol.module.js';

/** Runners: their own routes come before those of users, for which the fixed paths would look like ids. */
@Module({ imports: [RunnerProtocolModule, RunnerAdminModule] })
export class RunnersModule {}
