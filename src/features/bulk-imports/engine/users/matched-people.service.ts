import { Injectable } from '@nestjs/common';
import { live } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { showsAddressSql } from '#core/users/addresses/shown-address.sql.js';
import type { Entity } from '../../bulk-import.js';

/** The user who looks for others, with the rights for it. */
export type Seeker = Pick<Entity, 'importerId' | 'importsAsAdmin'>;

/** Destination: the group, and the project. */
export type EntityContainer = Pick<Entity, 'namespaceId' | 'projectId'>;

/** Users whose account is usable. */
const OPEN = `u.user_type = 'human' and not u.pending_delete and u.state in ('active', 'deactivated')`;

/**
 * Users with a confirmed address; none if two have confirmed it in different cases. The importing user
 * controls what the source sends: only administrators can match addresses that are not public, so that others
 * cannot find out whose they are.
 */
const BY_ADDRESS = `select address, min(id) as id from (
    select lower(u.email) as address, u.id from users u where lower(u.email) = any($1::text[]) and u.confirmed_at is not null
    union select lower(e.email), e.user_id from user_emails e where lower(e.email) = any($1::text[]) and e.confirmed_at is not null) claims
  join users u using (id) where ${OPEN} and ($3::boolean or u.id = $2 or ${showsAddressSql('u', 'address')})
  group by address having count(distinct id) = 1`;

/** Direct and inherited members, visible to all managers of the destination. */
const MEMBERS = `select lower(u.username) as name, u.id from users u
  where lower(u.username) = any($1::text[]) and ${OPEN} and exists (select from members m where m.user_id = u.id and ${live('m')}
    and (m.source_type = 'Namespace' and m.source_id in (select unnest(n.traversal_ids) from namespaces n where n.id = $2)
      or m.source_type = 'Project' and m.source_id = $3))`;

/** Matches users of the source with local users. */
@Injectable()
export class MatchedPeopleService {
  /** Returns local users by addresses, in lower case, that the importing user may match. */
  async byAddress(
    tx: Tx,
    { importerId, importsAsAdmin }: Seeker,
    addresses: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (addresses.length === 0) return new Map();
    const values = [[...new Set(addresses)], importerId, importsAsAdmin];
    const rows = await tx.query<{ address: string; id: number }[]>(BY_ADDRESS, values);
    return new Map(rows.map(({ address, id }) => [address, id]));
  }

  /**
   * Returns members of a destination by username in lower case: for importing users who are not
   * administrators, and so cannot match by hidden addresses.
   */
  async members(
    tx: Tx,
    container: EntityContainer,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (names.length === 0) return new Map();
    const { namespaceId, projectId } = container;
    const rows = await tx.query<{ name: string; id: number }[]>(MEMBERS, [names, namespaceId, projectId]);
    return new Map(rows.map(({ name, id }) => [name, id]));
  }
}
