import {
  Inject,
  Module,
  type DynamicModule,
  type ModuleMetadata,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Config } from '#kernel/config/config.js';
import { definedJobs, type AnyJobDefinition } from './job-definition.js';
import type { JobProcessor } from './job-processor.js';
import { JobRunner } from './running/job-runner.js';
import { QueueLifecycle } from './queue-lifecycle.js';
import { Schedules } from './running/schedules.js';

const PROCESSORS = Symbol('processors');

/** Processor class with any payload. */
export type ProcessorClass = Type<{ readonly job: AnyJobDefinition }>;

/** Runs the jobs of the given processors in this process, unless the configuration disables jobs in it. */
@Module({})
export class QueueWorkerModule implements OnApplicationBootstrap {
  constructor(
    @Inject(PROCESSORS) private readonly processors: readonly JobProcessor[],
    private readonly config: Config,
    private readonly runner: JobRunner,
    private readonly lifecycle: QueueLifecycle,
    private readonly schedules: Schedules,
  ) {}

  /** `imports`: modules whose services the processors inject. */
  static register(processors: ProcessorClass[], imports: ModuleMetadata['imports'] = []): DynamicModule {
    return {
      module: QueueWorkerModule,
      imports: [ScheduleModule.forRoot(), ...imports],
      providers: [
        ...processors,
        Schedules,
        { provide: PROCESSORS, inject: processors, useFactory: (...instances: unknown[]) => instances },
      ],
    };
  }

  onApplicationBootstrap(): void {
    this.runner.use(this.processors);
    const named = new Set(this.processors.map((processor) => processor.job.name));
    const missing = definedJobs().filter((job) => !named.has(job.name));
    if (missing.length > 0) throw new Error(`No processor for ${missing.map((job) => job.name).join(', ')}`);
    if (!this.config.runsJobs) return;
    this.lifecycle.startConsuming();
    this.schedules.start();
  }
}
