import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { BranchGuests } from './branch-guests.js';
import { BranchProtection } from './branch-protection.js';
import { ProtectedRef, ProtectedRefAccessLevel } from './protected-ref.entity.js';
import { ProtectedRefsQueries } from './protected-refs.queries.js';
import { ProtectedRefsService } from './protected-refs.service.js';
import { ProtectionsQueries } from './protections.queries.js';
import { Rights } from './rights.js';
import { ProtectedRefsImport } from './transfer/protected-refs-import.js';

/** What modules above use. */
const shared = [
  BranchGuests,
  BranchProtection,
  ProtectedRefsImport,
  ProtectedRefsQueries,
  ProtectedRefsService,
  ProtectionsQueries,
];

/** Which branches and tags are protected, and for whom they are not; knows nothing of repositories, so that all of them may use it. */
@Module({
  imports: [TypeOrmModule.forFeature([ProtectedRef, ProtectedRefAccessLevel]), AuditModule, InstanceModule],
  providers: [...shared, Rights],
  exports: shared,
})
export class ProtectionModule {}
