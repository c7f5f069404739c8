import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { ExportDownloadsService } from './export-downloads.service.js';
import { RELATION_EXPORT_CONTROLLERS } from './relation-exports.controllers.js';
import { RelationExportsQueries } from './relation-exports.queries.js';
import { ExportedRelationsService } from './relations/exported-relations.service.js';
import { StartRelationExports } from './start-relation-exports.use-case.js';
import { ExportFilesService } from './writing/export-files.service.js';
import { ExportPolicy } from './writing/export.policy.js';
import { ExportRunService } from './writing/export-run.service.js';
import { RepositoryBundleService } from './writing/repository-bundle.service.js';
import { WriteRecords } from './writing/write-records.use-case.js';

/** Providers of the processor. */
const writing = [
  ExportedRelationsService,
  ExportFilesService,
  ExportPolicy,
  ExportRunService,
  RepositoryBundleService,
  WriteRecords,
];

/** Exports of relations of groups and projects to files for other instances. */
@Module({
  imports: [AuditModule, InstanceModule, RepositoriesModule, ExchangeModule],
  controllers: RELATION_EXPORT_CONTROLLERS,
  providers: [...writing, ExportDownloadsService, RelationExportsQueries, StartRelationExports],
  exports: writing,
})
export class RelationExportsModule {}
