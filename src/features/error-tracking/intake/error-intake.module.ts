import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ErrorEventStore } from './error-events.store.js';
import { ErrorIntakeController } from './error-intake.controller.js';
import { ErrorIntakeService } from './error-intake.service.js';
import { IntakeAdmission } from './intake-admission.js';
import { IntakeLimit } from './intake-limit.js';
import { IntakeProjectsQueries } from './intake-projects.queries.js';
import { SentBodies } from './envelope/sent-bodies.js';

/** Takes in what the SDKs of applications send. */
@Module({
  imports: [InstanceModule],
  controllers: [ErrorIntakeController],
  providers: [
    ErrorEventStore,
    ErrorIntakeService,
    IntakeAdmission,
    IntakeLimit,
    IntakeProjectsQueries,
    SentBodies,
  ],
})
export class ErrorIntakeModule {}
