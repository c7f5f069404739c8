import { Module } from '@nestjs/common';
import { RunnerAdminModule } from './admin/runner-admin.module.js';
import { RunnerProtocolModule } from './protocol/runner-protocol.module.js';

/** Runners: what they ask for themselves, before what people do with them: its fixed paths look like ids to theirs. */
@Module({ imports: [RunnerProtocolModule, RunnerAdminModule] })
export class RunnersModule {}
