import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { AvatarsModule } from '#core/avatars/avatars.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { MembersModule } from '#core/members/members.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { GroupActionsController } from './group-actions.controller.js';
import { DeleteGroup } from './deletion/delete-group.use-case.js';
import { GroupLinksQueries } from './shares/group-links.queries.js';
import { GroupRules } from './group.rules.js';
import { RunnersTokenService } from './settings/runners-token.service.js';
import { GroupSharesService } from './shares/group-shares.service.js';
import { GroupsController } from './groups.controller.js';
import { GroupsPresenter } from './groups.presenter.js';
import { GroupsQueries } from './groups.queries.js';
import { GroupsService } from './groups.service.js';
import { Namespace } from './namespaces/namespace.entity.js';
import { NamespaceListQueries } from './namespaces/namespace-list.queries.js';
import { PurgeNamespaceService } from './deletion/purge-namespace.service.js';
import { NamespaceTreeService } from './namespaces/namespace-tree.service.js';
import { NamespacesController } from './namespaces/namespaces.controller.js';
import { NamespacesListener } from './namespaces/namespaces.listener.js';
import { NamespacesQueries } from './namespaces/namespaces.queries.js';
import { NamespacesService } from './namespaces/namespaces.service.js';
import { RoutesService } from './namespaces/routes.service.js';
import { TransferGroup } from './transfer/transfer-group.use-case.js';

/** Providers exported to other modules. */
const shared = [
  GroupLinksQueries,
  GroupRules,
  RunnersTokenService,
  GroupsPresenter,
  GroupsQueries,
  GroupsService,
  NamespaceListQueries,
  PurgeNamespaceService,
  NamespaceTreeService,
  NamespacesQueries,
  NamespacesService,
  RoutesService,
];

/** Groups, and the namespaces of groups and users. */
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
  providers: [...shared, DeleteGroup, GroupSharesService, NamespacesListener, TransferGroup],
  exports: shared,
})
export class GroupsModule {}
