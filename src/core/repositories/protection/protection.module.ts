import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceModule } from '#core/instance/instance.module.js';
import { BranchProtection } from './branch-protection.js';
import { ProtectionsQueries } from './protections.queries.js';
import { ProtectedRef, ProtectedRefAccessLevel } from './protected-ref.entity.js';

/** Which branches and tags are protected, and for whom they are not; knows nothing of repositories, so that all of them may use it. */
@Module({
  imports: [TypeOrmModule.forFeature([ProtectedRef, ProtectedRefAccessLevel]), InstanceModule],
  providers: [BranchProtection, ProtectionsQueries],
  exports: [BranchProtection, ProtectionsQueries],
})
export class ProtectionModule {}
