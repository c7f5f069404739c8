import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ErrorEventStoreService } from './error-event-store.service.js';
import { ErrorIntakeController } from './error-intake.controller.js';
import { ErrorIntakeService } from './error-intake.service.js';
import { IntakeAdmissionPolicy } from './intake-admission.policy.js';
import { IntakeLimit } from './intake.limit.js';
import { IntakeProjectsQueries } from './intake-projects.queries.js';
import { SentBodiesService } from './envelope/sent-bodies.service.js';

/** Receives events from the SDKs of applications. */
@Module({
  imports: [InstanceModule],
  controllers: [ErrorIntakeController],
  providers: [
    ErrorEventStoreService,
    ErrorIntakeService,
    IntakeAdmissionPolicy,
    IntakeLimit,
    IntakeProjectsQueries,
    SentBodiesService,
  ],
})
export class ErrorIntakeModule {}
