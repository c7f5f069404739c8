import { Module, type DynamicModule } from '@nestjs/common';
import type { Config } from '#kernel/config/config.js';
import { KernelModule } from '#kernel/kernel.module.js';
import { QueueWorkerModule, type ProcessorClass } from '#kernel/queue/queue-worker.module.js';
import { DeleteGroupProcessor } from '#core/groups/delete-group.processor.js';
import { DeleteUserProcessor } from '#core/users/delete-user.processor.js';
import { domainModules } from './modules.js';

/** The one list of background work: every job of the product has its processor here. */
export const processors: ProcessorClass[] = [DeleteUserProcessor, DeleteGroupProcessor];

/** A process that runs jobs and answers health and metrics, nothing else. */
@Module({})
export class WorkerModule {
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        KernelModule.forRoot(config, databaseUrl),
        ...domainModules,
        QueueWorkerModule.register(processors, domainModules),
      ],
    };
  }
}
