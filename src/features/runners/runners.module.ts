import { Module } from '@nestjs/common';
import { RunnerAdminModule } from './admin/runner-admin.module.js';
import { RunnerProtocolModule } from './protocol/runner-protocol.module.js';

/** Runners: what they ask for themselves, and what people do with them. The former comes first: `managers` is no id of a runner. */
@Module({ imports: [RunnerProtocolModule, RunnerAdminModule] })
export class RunnersModule {}
