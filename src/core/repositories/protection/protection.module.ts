import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { BranchGuestsRegistry } from './branch-guests.registry.js';
import { ProtectBranch } from './protect-branch.use-case.js';
import { ProtectedRef, ProtectedRefAccessLevel } from './protected-ref.entity.js';
import { ProtectedRefsQueries } from './protected-refs.queries.js';
import { ProtectedRefsService } from './protected-refs.service.js';
import { ProtectionsQueries } from './protections.queries.js';
import { ProtectionRightsService } from './protection-rights.service.js';
import { ProtectedRefsImporter } from './exchange/protected-refs.importer.js';

/** What modules above use. */
const shared = [
  BranchGuestsRegistry,
  ProtectBranch,
  ProtectedRefsImporter,
  ProtectedRefsQueries,
  ProtectedRefsService,
  ProtectionsQueries,
];

/** Which branches and tags are protected, and for whom they are not; knows nothing of repositories, so that all of them may use it. */
@Module({
  imports: [TypeOrmModule.forFeature([ProtectedRef, ProtectedRefAccessLevel]), AuditModule, InstanceModule],
  providers: [...shared, ProtectionRightsService],
  exports: shared,
})
export class ProtectionModule {}
