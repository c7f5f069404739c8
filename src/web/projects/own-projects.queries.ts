import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';

/** A project with the role of a user. */
export interface OwnProjectRow {
  readonly id: number;
  readonly full_name: string;
  readonly role: Role;
}

const SHAPE: ListShape = {
  kind: 'OwnProject',
  select: `p.id, p.full_name, ${projectRoleSql('u.id', 'p', 'n')} as role`,
  from: 'users u join projects p on not p.pending_delete join namespaces n on n.id = p.namespace_id',
  key: 'p.id',
};

/** Queries for the projects that have pages for a user. */
@Injectable()
export class OwnProjectsQueries {
  /** Lists the projects in which a user is at least a Reporter, by path. */
  list(userId: number): ListQuery<OwnProjectRow> {
    return new ListQuery<OwnProjectRow>(SHAPE)
      .where(`p.id in (${authorizedSql(Role.Reporter)})`, userId)
      .where('u.id = ?', userId)
      .orderByExpression('p.full_path, p.id')
      .long();
  }
}
