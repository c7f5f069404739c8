import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { AddMembers } from './writes/add-members.use-case.js';
import { MemberChangesService } from './writes/member-changes.service.js';
import { MemberRulesService } from './writes/member-rules.service.js';
import { Member } from './member.entity.js';
import { MembersListener } from './members.listener.js';
import { MembersPresenter } from './members.presenter.js';
import { MembersQueries } from './members.queries.js';
import { MembersService } from './members.service.js';
import { membersControllers } from './members.controllers.js';

/** Members of groups and projects. */
@Module({
  imports: [TypeOrmModule.forFeature([Member]), AuditModule],
  controllers: [...membersControllers],
  providers: [
    AddMembers,
    MemberChangesService,
    MemberRulesService,
    MembersListener,
    MembersPresenter,
    MembersQueries,
    MembersService,
  ],
  exports: [MembersQueries, MembersService],
})
export class MembersModule {}
