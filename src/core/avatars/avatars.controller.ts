import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { forbidden } from '#kernel/http/errors.js';
import type { SentImage } from '#kernel/http/fields/image-field.js';
import { Params } from '#kernel/http/fields/params.js';
import { Integer, Text } from '#kernel/http/fields/scalar-fields.js';
import { Links } from '#kernel/http/links.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { showsAddressSql } from '#core/users/addresses/shown-address.sql.js';
import { AvatarFile } from './avatar-field.js';
import { AvatarRecord } from './avatar.record.js';
import { AvatarUploadsService } from './avatar-uploads.service.js';

/** Parameters of an avatar by email address. */
export class FindAvatarParams {
  @Text({ maxLength: 320 })
  email!: string;

  @Integer({ optional: true, min: 1, max: 2048, description: 'Accepted, but ignored: avatars have one size' })
  size?: number;
}

/** Parameters of the caller's avatar. */
export class SetAvatarParams {
  @AvatarFile()
  avatar!: SentImage | null;
}

/**
 * The user of a known email address: a public one, or any of the caller's own; administrators find all. For
 * other addresses nothing is revealed.
 */
const OF_ADDRESS = `select u.id, u.avatar from users u where not u.pending_delete and u.avatar is not null
  and u.id = any(array(select p.id from users p where lower(p.email) = lower($1) and p.confirmed_at is not null
    union all select e.user_id from user_emails e where lower(e.email) = lower($1) and e.confirmed_at is not null))
  and (u.id = $2::bigint or $3::boolean or ${showsAddressSql('u', '$1')}) order by u.id limit 1`;

const LOCK = 'select id from users where id = $1 for no key update';

/** Avatars of users. */
@Controller('api/v4')
export class AvatarsController {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly settings: SettingsService,
    private readonly uploads: AvatarUploadsService,
    private readonly links: Links,
  ) {}

  @Get('avatar')
  @Access({ anyone: true, scopes: ['read_user'] })
  @Returns(AvatarRecord)
  async find(
    @CurrentActor() actor: Actor | null,
    @Params() { email }: FindAvatarParams,
  ): Promise<AvatarRecord> {
    if (!actor && this.settings.values.restricted_visibility_levels.includes('public')) throw forbidden();
    const found = await this.database.one<{ id: number; avatar: string }>(OF_ADDRESS, [
      email,
      actor?.id ?? null,
      actor?.admin === true,
    ]);
    return { avatar_url: found && this.links.avatar('user', found.id, found.avatar) };
  }

  @Put('user/avatar')
  @Access({ user: true })
  @Returns(AvatarRecord)
  async set(@CurrentActor() { id }: Actor, @Params() { avatar }: SetAvatarParams): Promise<AvatarRecord> {
    await this.uploads.bring(avatar, (put) =>
      this.transactions.run(async (tx) => {
        await tx.query(LOCK, [id]);
        await put(tx, 'user', id);
      }),
    );
    return { avatar_url: this.links.avatar('user', id, avatar?.filename ?? null) };
  }
}
