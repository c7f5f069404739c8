import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { Namespace } from './namespace.entity.js';

/** New position of a namespace; everything below follows. */
export interface NamespacePosition {
  readonly name: string;
  readonly path: string;
  /** The new parent group; null for the top level. */
  readonly parent: Pick<Namespace, 'id' | 'fullPath' | 'fullName' | 'traversalIds'> | null;
}

/**
 * Arbitrary number of an advisory lock, which serializes changes of the tree so that two moves can never
 * create a cycle.
 */
const TREE_LOCK = 746_274_010;

const REWRITE = `update namespaces n set
    full_path = $2 || substr(n.full_path, length(root.full_path) + 1),
    full_name = $3 || substr(n.full_name, length(root.full_name) + 1),
    traversal_ids = $4::bigint[] || n.traversal_ids[array_position(n.traversal_ids, root.id):]
  from namespaces root where root.id = $1 and n.traversal_ids @> array[root.id]`;

const REWRITE_PROJECTS = `update projects p set full_path = n.full_path || '/' || p.path, full_name = n.full_name || ' / ' || p.name
  from namespaces n where n.id = p.namespace_id and n.traversal_ids @> array[$1::bigint]`;

/** A namespace that is being removed no longer has a path: another one may have taken it. */
const BELOW = `select 'Namespace' as source_type, id as source_id, full_path from namespaces
    where traversal_ids @> array[$1::bigint] and not pending_delete
  union all select 'Project', p.id, p.full_path from projects p join namespaces n on n.id = p.namespace_id
    where n.traversal_ids @> array[$1::bigint] and not p.pending_delete`;

const RETIRE = `update routes r set redirect = true from (${BELOW}) owned
  where r.source_type = owned.source_type and r.source_id = owned.source_id and not r.redirect`;

const CLAIM = `with owned as (${BELOW}), claimed as (
    insert into routes (path, source_type, source_id) select lower(full_path), source_type, source_id from owned
    on conflict (path) do update set source_type = excluded.source_type, source_id = excluded.source_id, redirect = false
      where routes.redirect or (routes.source_type = excluded.source_type and routes.source_id = excluded.source_id)
    returning 1)
  select (select count(*) from owned) = (select count(*) from claimed) as complete`;

/**
 * Moves and renames namespaces with everything below: paths and names of projects contain those of all
 * ancestors.
 */
@Injectable()
export class NamespaceTreeService {
  /** Blocks other changes of the tree until `tx` ends; take this lock before any row of the tree. */
  async lock(tx: Tx): Promise<void> {
    await tx.query('select pg_advisory_xact_lock($1)', [TREE_LOCK]);
  }

  /** Keeps the tree unchanged while something is added to it; a shared lock. */
  async lockToAdd(tx: Tx): Promise<void> {
    await tx.query('select pg_advisory_xact_lock_shared($1)', [TREE_LOCK]);
  }

  /**
   * Locks the rows of a namespace and all below, so that nothing is added to them. The tree must be locked.
   */
  async lockRows(tx: Tx, namespaceId: number): Promise<void> {
    const below = 'select 1 from namespaces where traversal_ids @> array[$1::bigint] order by id for update';
    await tx.query(below, [namespaceId]);
  }

  /**
   * Moves a namespace to its new position, rewrites everything below and leaves redirects behind. The tree
   * must be locked.
   * @returns false if a path is taken; the transaction must then be rolled back
   */
  async relocate(tx: Tx, namespace: Namespace, { name, path, parent }: NamespacePosition): Promise<boolean> {
    const { id } = namespace;
    const fullPath = parent ? `${parent.fullPath}/${path}` : path;
    const fullName = parent ? `${parent.fullName} / ${name}` : name;
    const moves = fullPath !== namespace.fullPath;
    await this.lockRows(tx, id);
    if (moves) await tx.query(RETIRE, [id]);
    await tx.query(REWRITE, [id, fullPath, fullName, parent?.traversalIds ?? []]);
    await tx.query(
      'update namespaces set name = $2, path = $3, parent_id = $4, updated_at = now() where id = $1',
      [id, name, path, parent?.id ?? null],
    );
    await tx.query(REWRITE_PROJECTS, [id]);
    if (!moves) return true;
    const [claim] = await tx.query<{ complete: boolean }[]>(CLAIM, [id]);
    return claim?.complete === true;
  }
}
