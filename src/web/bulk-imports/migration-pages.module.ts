import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { BulkImportsModule } from '#features/bulk-imports/api/bulk-imports.module.js';
import { BulkImportEngineModule } from '#features/bulk-imports/engine/bulk-import-engine.module.js';
import { LiveModule } from '../live/live.module.js';
import { MigrationPagesController } from './migration-pages.controller.js';
import { MigrationsQueries } from './migrations.queries.js';

/** Module of the migration pages. */
@Module({
  imports: [BulkImportEngineModule, BulkImportsModule, InstanceModule, LiveModule],
  controllers: [MigrationPagesController],
  providers: [MigrationsQueries],
})
export class MigrationPagesModule {}
