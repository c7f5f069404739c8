import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import { NamespacesQueries, type NamespaceTarget } from '#core/groups/namespaces/namespaces.queries.js';
import type { Entity } from '../bulk-import.js';
import { DestinationRefused } from './destination-refused.js';

const PARENT = 'select namespace_id as id from bulk_import_entities where id = $1';
const IS_TAKEN = 'select 1 from routes where path = lower($1)';

const MADE = `select n.id as "namespaceId", p.id as "projectId" from bulk_import_entities e
  left join namespaces n on n.id = e.namespace_id and not n.pending_delete
  left join projects p on p.id = e.project_id and not p.pending_delete
  where e.id = $1`;

const KEEP =
  'update bulk_import_entities set namespace_id = $2, project_id = $3, updated_at = now() where id = $1';

/** Finds and records the destinations of entities. */
@Injectable()
export class DestinationsService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly namespaces: NamespacesQueries,
  ) {}

  /**
   * Returns the group in which an entity is created; null for the top level. For a child it is the parent's
   * group, even if that was moved since. Checks the right again, which may have been lost. @throws
   * DestinationRefused
   */
  async find(
    actor: Actor,
    { of, parentId, destinationNamespace: path }: Entity,
  ): Promise<NamespaceTarget | null> {
    if (parentId === null && path === '' && of === 'group') return null;
    const wanted =
      parentId === null ? path : (await this.database.one<{ id: number | null }>(PARENT, [parentId]))?.id;
    const isName = parentId !== null || !/^\d*$/.test(path);
    const target =
      wanted !== null && wanted !== undefined && isName
        ? await this.namespaces.findOrNull(actor, wanted)
        : null;
    if (target?.type !== 'Group' || target.role < Role.Maintainer)
      throw new DestinationRefused(`Destination '${path}' is invalid, or you don't have permission.`);
    return target;
  }

  /** Returns what a previous run created for an entity. */
  async madeOf(tx: Tx, { id, of }: Entity): Promise<number | null> {
    const [made] = await tx.query<{ namespaceId: number | null; projectId: number | null }[]>(MADE, [id]);
    return (of === 'group' ? made?.namespaceId : made?.projectId) ?? null;
  }

  /** Records what an entity has become, in the transaction that creates it. */
  async keep(tx: Tx, { id }: Entity, namespaceId: number, projectId: number | null): Promise<void> {
    await tx.query(KEEP, [id, namespaceId, projectId]);
  }

  /** Asserts that the path is free. @throws DestinationRefused */
  async assertFree(tx: Tx, target: NamespaceTarget | null, slug: string): Promise<void> {
    const path = target ? `${target.fullPath}/${slug}` : slug;
    const taken = await tx.query<unknown[]>(IS_TAKEN, [path]);
    if (taken.length > 0) throw new DestinationRefused(`'${path}' already exists`);
  }
}

/** Converts the error of a local service to a message for the importing user. */
export function refusal(error: unknown): unknown {
  if (!(error instanceof HttpError) || error.status >= 500) return error;
  return new DestinationRefused(error.message);
}
