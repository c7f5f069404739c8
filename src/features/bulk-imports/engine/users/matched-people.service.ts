import { Injectable } from '@nestjs/common';
import { live } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { showsAddressSql } from '#core/users/addresses/shown-address.sql.js';
import type { Entity } from '../../bulk-import.js';

/** Who looks for people, and with which rights. */
export type Seeker = Pick<Entity, 'importerId' | 'importsAsAdmin'>;

/** Where something is migrated to: the group of it, and the project that it has become. */
export type Place = Pick<Entity, 'namespaceId' | 'projectId'>;

/** People whose account is not shut. */
const OPEN = `u.user_type = 'human' and not u.pending_delete and u.state in ('active', 'deactivated')`;

/**
 * Those who have confirmed an address; of two who have done so in different cases of letters, nobody. Whoever migrates may write into the source
 * what they like: only administrators find somebody by an address that is not shown, others learn of none whose it is.
 */
const BY_ADDRESS = `select address, min(id) as id from (
    select lower(u.email) as address, u.id from users u where lower(u.email) = any($1::text[]) and u.confirmed_at is not null
    union select lower(e.email), e.user_id from user_emails e where lower(e.email) = any($1::text[]) and e.confirmed_at is not null) claims
  join users u using (id) where ${OPEN} and ($3::boolean or u.id = $2 or ${showsAddressSql('u', 'address')})
  group by address having count(distinct id) = 1`;

/** Direct and inherited members: those whom everybody in charge of the place sees. */
const MEMBERS = `select lower(u.username) as name, u.id from users u
  where lower(u.username) = any($1::text[]) and ${OPEN} and exists (select from members m where m.user_id = u.id and ${live('m')}
    and (m.source_type = 'Namespace' and m.source_id in (select unnest(n.traversal_ids) from namespaces n where n.id = $2)
      or m.source_type = 'Project' and m.source_id = $3))`;

/** Finds people of the source among those here. */
@Injectable()
export class MatchedPeopleService {
  /** Users here by the addresses, in small letters, that a seeker finds them by. */
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
   * Members of a place by their names in small letters: they go by the same name at the source, as far as those who are no administrators can tell
   * without being told of addresses.
   */
  async members(tx: Tx, place: Place, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (names.length === 0) return new Map();
    const { namespaceId, projectId } = place;
    const rows = await tx.query<{ name: string; id: number }[]>(MEMBERS, [names, namespaceId, projectId]);
    return new Map(rows.map(({ name, id }) => [name, id]));
  }
}
