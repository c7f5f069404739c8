import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { showsAddressSql } from '#core/users/addresses/shown-address.sql.js';

/**
 * The user of a known email address: a public one, or any of the caller's own; administrators find all. For
 * other addresses nothing is revealed.
 */
const OF_ADDRESS = `select u.id, u.avatar from users u where not u.pending_delete and u.avatar is not null
  and u.id = any(array(select p.id from users p where lower(p.email) = lower($1) and p.confirmed_at is not null
    union all select e.user_id from user_emails e where lower(e.email) = lower($1) and e.confirmed_at is not null))
  and (u.id = $2::bigint or $3::boolean or ${showsAddressSql('u', '$1')}) order by u.id limit 1`;

/** Reads avatars of users. */
@Injectable()
export class AvatarsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the avatar of the user of an address; null if there is none for the caller. */
  ofAddress(email: string, actor: Actor | null): Promise<{ id: number; avatar: string } | null> {
    return this.database.one(OF_ADDRESS, [email, actor?.id ?? null, actor?.admin === true]);
  }
}
