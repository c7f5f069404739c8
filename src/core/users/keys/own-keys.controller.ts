import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { presentSshKey, SshKeyRecord } from './ssh-key.record.js';
import { NewSshKeyParams, SshKeyIdParams } from './ssh-keys.params.js';
import { SshKeysService } from './ssh-keys.service.js';

/** SSH keys of the signed-in user. */
@Controller('api/v4/user/keys')
export class OwnKeysController {
  constructor(private readonly keys: SshKeysService) {}

  @Get()
  @Access({ user: true, scopes: ['read_user'] })
  @ReturnsList(SshKeyRecord)
  async list(@CurrentActor() actor: Actor, @Paged() page: Page): Promise<SshKeyRecord[]> {
    return (await page.load(this.keys.list(actor.id))).map(presentSshKey);
  }

  @Get(':key_id')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(SshKeyRecord)
  async find(
    @CurrentActor() actor: Actor,
    @Params() { key_id: keyId }: SshKeyIdParams,
  ): Promise<SshKeyRecord> {
    return presentSshKey(await this.keys.find(actor.id, keyId));
  }

  @Post()
  @Access({ user: true, makesCredential: true })
  @Returns(SshKeyRecord, 201)
  async add(@CurrentActor() actor: Actor, @Params() params: NewSshKeyParams): Promise<SshKeyRecord> {
    return presentSshKey(await this.keys.add(actor, actor.id, params));
  }

  @Delete(':key_id')
  @Access({ user: true })
  @ReturnsNothing()
  async remove(
    @CurrentActor() actor: Actor,
    @Params() { key_id: keyId }: SshKeyIdParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.keys.remove(actor, actor.id, keyId, unmodified);
  }
}
