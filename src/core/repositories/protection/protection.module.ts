import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProtectBranch } from './protect-branch.use-case.js';
import { ProtectedRef, ProtectedRefAccessLevel } from './protected-ref.entity.js';
import { ProtectedRefsQueries } from './protected-refs.queries.js';
import { ProtectedRefsService } from './protected-refs.service.js';
import { ProtectionsQueries } from './protections.queries.js';
import { ProtectionRightsService } from './protection-rights.service.js';
import { ProtectedRefsImporter } from './exchange/protected-refs.importer.js';

/** Providers exported to other modules. */
const shared = [
  ProtectBranch,
  ProtectedRefsImporter,
  ProtectedRefsQueries,
  ProtectedRefsService,
  ProtectionsQueries,
];

/**
 * Protected branches and tags with their access levels; does not depend on repositories, so that all their
 * modules can use it.
 */
@Module({
  imports: [TypeOrmModule.forFeature([ProtectedRef, ProtectedRefAccessLevel]), AuditModule, InstanceModule],
  providers: [...shared, ProtectionRightsService],
  exports: shared,
})
export class ProtectionModule {}
