import { Controller, Get, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { forbidden } from '#kernel/http/errors.js';
import type { SentImage } from '#kernel/http/fields/image-field.js';
import { Params } from '#kernel/http/fields/params.js';
import { Integer, Text } from '#kernel/http/fields/scalar-fields.js';
import { Links } from '#kernel/http/links.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { AvatarFile } from './avatar-field.js';
import { AvatarRecord } from './avatar.record.js';
import { AvatarUploadsService } from './avatar-uploads.service.js';
import { AvatarsQueries } from './avatars.queries.js';

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

/** Avatars of users. */
@Controller('api/v4')
export class AvatarsController {
  constructor(
    private readonly queries: AvatarsQueries,
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
    const found = await this.queries.ofAddress(email, actor);
    return { avatar_url: found && this.links.avatar('user', found.id, found.avatar) };
  }

  @Put('user/avatar')
  @Access({ user: true })
  @Returns(AvatarRecord)
  async set(@CurrentActor() { id }: Actor, @Params() { avatar }: SetAvatarParams): Promise<AvatarRecord> {
    await this.uploads.setOfUser(id, avatar);
    return { avatar_url: this.links.avatar('user', id, avatar?.filename ?? null) };
  }
}
