import { Module } from '@nestjs/common';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { DatabaseHealthQueries } from './database-health.queries.js';
import { InstanceHealthController } from './instance-health.controller.js';
import { InstanceHealthQueries } from './instance-health.queries.js';

/** The state of the instance for administrators. */
@Module({
  imports: [RepositoriesModule],
  controllers: [InstanceHealthController],
  providers: [DatabaseHealthQueries, InstanceHealthQueries],
  exports: [InstanceHealthQueries],
})
export class InstanceHealthModule {}
