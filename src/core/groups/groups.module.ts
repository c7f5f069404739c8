import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MembersModule } from '#core/members/members.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { GroupProjects } from './group-projects.js';
import { Namespace } from './namespace.entity.js';
import { NamespaceRemoval } from './namespace-removal.js';
import { NamespaceTree } from './namespace-tree.js';
import { NamespacesListener } from './namespaces.listener.js';
import { NamespacesQueries } from './namespaces.queries.js';
import { NamespacesService } from './namespaces.service.js';
import { Routes } from './routes.js';

/** Groups, and the namespaces that they and users own. */
@Module({
  imports: [TypeOrmModule.forFeature([Namespace]), MembersModule, UsersModule],
  providers: [
    GroupProjects,
    NamespaceRemoval,
    NamespaceTree,
    NamespacesListener,
    NamespacesQueries,
    NamespacesService,
    Routes,
  ],
  exports: [GroupProjects, NamespaceRemoval, NamespacesQueries, NamespacesService, NamespaceTree, Routes],
})
export class GroupsModule {}
