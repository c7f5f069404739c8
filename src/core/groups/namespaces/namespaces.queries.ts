import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { admits } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import type { Visibility } from './namespace.entity.js';

/** A namespace as seen by a user who wants to create something in it. */
export interface NamespaceTarget {
  readonly id: number;
  readonly type: 'User' | 'Group';
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly fullName: string;
  readonly parentId: number | null;
  readonly visibility: Visibility;
  readonly traversalIds: readonly number[];
  readonly ownerId: number | null;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Role of the user in it; Owner in the own namespace, Admin for administrators. */
  readonly role: Role;
}

const SELECT = `select n.id, n.type, n.name, n.path, n.full_path as "fullPath", n.full_name as "fullName", n.visibility,
    n.parent_id as "parentId", n.traversal_ids as "traversalIds", n.owner_id as "ownerId", n.settings,
    case when n.type = 'User' then case when n.owner_id = $1 then ${Role.Owner} else ${Role.None} end else ${groupRoleSql('$1::bigint', 'n')} end as role
  from namespaces n`;

const BY_ID = `${SELECT} where n.id = $2 and not n.pending_delete`;
const BY_PATH = `${SELECT} join routes r on r.source_type = 'Namespace' and r.source_id = n.id
  where r.path = lower($2) and not n.pending_delete`;

/** Finds namespaces by request. */
@Injectable()
export class NamespacesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Finds a namespace by id (also as text) or full path; null if there is none that the user can see. */
  async findOrNull(actor: Actor, idOrPath: number | string): Promise<NamespaceTarget | null> {
    const text = String(idOrPath);
    const isId = /^\d+$/.test(text);
    if (isId ? !Number.isSafeInteger(Number(text)) : text.includes('\0') || text.length > 1024) return null;
    const row = isId
      ? await this.database.one<NamespaceTarget>(BY_ID, [actor.id, Number(text)])
      : await this.database.one<NamespaceTarget>(BY_PATH, [actor.id, text]);
    if (!row) return null;
    const target = actor.admin ? { ...row, role: Role.Admin } : row;
    return isVisible(actor, target) ? target : null;
  }

  /** Finds a namespace. @throws 404 `404 Namespace Not Found` */
  async find(actor: Actor, idOrPath: number | string): Promise<NamespaceTarget> {
    const target = await this.findOrNull(actor, idOrPath);
    if (!target) throw notFound('Namespace');
    return target;
  }
}

const isVisible = (actor: Actor, { role, visibility }: NamespaceTarget): boolean =>
  role >= Role.Minimal || admits(visibility, actor);
