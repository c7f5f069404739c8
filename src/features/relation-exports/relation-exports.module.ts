import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { ExportDownloads } from './export-downloads.js';
import { RELATION_EXPORT_CONTROLLERS } from './relation-exports.controllers.js';
import { RelationExportsQueries } from './relation-exports.queries.js';
import { ExportedRelations } from './relations/exported-relations.js';
import { StartRelationExports } from './start-relation-exports.js';
import { ExportFiles } from './writing/export-files.js';
import { ExportRights } from './writing/export-rights.js';
import { ExportRuns } from './writing/export-run.js';
import { RepositoryBundle } from './writing/repository-bundle.js';
import { WriteRecords } from './writing/write-records.js';

/** What the processor works with. */
const writing = [ExportedRelations, ExportFiles, ExportRights, ExportRuns, RepositoryBundle, WriteRecords];

/** Relations of groups and projects as files for other instances. */
@Module({
  imports: [AuditModule, InstanceModule, RepositoriesModule, TransferModule],
  controllers: RELATION_EXPORT_CONTROLLERS,
  providers: [...writing, ExportDownloads, RelationExportsQueries, StartRelationExports],
  exports: writing,
})
export class RelationExportsModule {}
