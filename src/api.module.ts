import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { Config } from '#kernel/config/config.js';
import { ExceptionToJson } from '#kernel/http/exception.filter.js';
import { RecordCheck } from '#kernel/http/answers/record-check.interceptor.js';
import { KernelModule } from '#kernel/kernel.module.js';
import { OpenApiModule } from '#kernel/openapi/openapi.module.js';
import { QueueWorkerModule } from '#kernel/queue/queue-worker.module.js';
import { GuardsModule } from './guards/guards.module.js';
import { JobTokenGuard } from './guards/job-token.guard.js';
import { ParametersGuard } from './guards/parameters.guard.js';
import { PreconditionGuard } from './guards/precondition.guard.js';
import { ReadmissionGuard } from './guards/readmission.guard.js';
import { RoleGuard } from './guards/role.guard.js';
import { SubjectGuard } from './guards/subject.guard.js';
import { SudoGuard } from './guards/sudo.guard.js';
import { TierGuard } from './guards/tier.guard.js';
import { TokenGuard } from './guards/token.guard.js';
import { WebModule } from '#web/web.module.js';
import { domainModules } from './modules.js';
import { processors } from './worker.module.js';

/** The guards in order of evaluation: the first failure determines the response. */
const guards = [
  TokenGuard,
  JobTokenGuard,
  SudoGuard,
  ParametersGuard,
  SubjectGuard,
  RoleGuard,
  TierGuard,
  PreconditionGuard,
  ReadmissionGuard,
];

/** Module of a process that serves the API and the pages; with PROCESS=all it runs the jobs too. */
@Module({})
export class ApiModule {
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        KernelModule.forRoot(config, databaseUrl),
        ...domainModules,
        GuardsModule,
        WebModule,
        OpenApiModule,
        ...(config.runsJobs ? [QueueWorkerModule.register(processors, domainModules)] : []),
      ],
      providers: [
        ...guards,
        ...guards.map((guard) => ({ provide: APP_GUARD, useExisting: guard })),
        { provide: APP_FILTER, useClass: ExceptionToJson },
        ...(config.NODE_ENV === 'test' ? [{ provide: APP_INTERCEPTOR, useClass: RecordCheck }] : []),
      ],
    };
  }
}
