import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { AvatarsModule } from '#core/avatars/avatars.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { MembersModule } from '#core/members/members.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { GroupActionsController } from './group-actions.controller.js';
import { GroupDeletionService } from './deletion/group-deletion.service.js';
import { GroupLinksQueries } from './shares/group-links.queries.js';
import { GroupProjects } from './group-projects.js';
import { GroupRules } from './group-rules.js';
import { GroupRunnersToken } from './settings/group-runners-token.js';
import { GroupSharesService } from './shares/group-shares.service.js';
import { GroupsController } from './groups.controller.js';
import { GroupsPresenter } from './groups.presenter.js';
import { GroupsQueries } from './groups.queries.js';
import { GroupsService } from './groups.service.js';
import { Namespace } from './namespaces/namespace.entity.js';
import { NamespaceListQueries } from './namespaces/namespace-list.queries.js';
import { NamespaceRemoval } from './deletion/namespace-removal.js';
import { NamespaceTree } from './namespaces/namespace-tree.js';
import { NamespacesController } from './namespaces/namespaces.controller.js';
import { NamespacesListener } from './namespaces/namespaces.listener.js';
import { NamespacesQueries } from './namespaces/namespaces.queries.js';
import { NamespacesService } from './namespaces/namespaces.service.js';
import { Routes } from './namespaces/routes.js';
import { TransferGroup } from './transfer/transfer-group.js';

/** What modules above use. */
const shared = [
  GroupLinksQueries,
  GroupProjects,
  GroupRules,
  GroupRunnersToken,
  GroupsPresenter,
  GroupsQueries,
  GroupsService,
  NamespaceListQueries,
  NamespaceRemoval,
  NamespaceTree,
  NamespacesQueries,
  NamespacesService,
  Routes,
];

/** Groups, and the namespaces that they and users own. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Namespace]),
    AuditModule,
    AvatarsModule,
    InstanceModule,
    MembersModule,
    UsersModule,
  ],
  controllers: [GroupsController, GroupActionsController, NamespacesController],
  providers: [...shared, GroupDeletionService, GroupSharesService, NamespacesListener, TransferGroup],
  exports: shared,
})
export class GroupsModule {}
