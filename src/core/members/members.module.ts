import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { AddMembers } from './writes/add-members.js';
import { ChangeMembers } from './writes/change-members.js';
import { MemberRules } from './writes/member-rules.js';
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
    ChangeMembers,
    MemberRules,
    MembersListener,
    MembersPresenter,
    MembersQueries,
    MembersService,
  ],
  exports: [MembersQueries, MembersService],
})
export class MembersModule {}
