import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { presentSshKey, SshKeyRecord } from './ssh-key.record.js';
import { NewSshKeyOfUserParams, SshKeyOfUserParams } from './ssh-keys.params.js';
import { SshKeysService } from './ssh-keys.service.js';
import { UserIdOrNameParams } from '../changes/users.params.js';
import { UsersQueries } from '../lists/users.queries.js';

/** SSH keys of any user: public to read; only administrators may change them. */
@Controller('api/v4/users/:id/keys')
export class UserKeysController {
  constructor(
    private readonly keys: SshKeysService,
    private readonly users: UsersQueries,
  ) {}

  @Get()
  @Access({ user: true, scopes: ['read_user'] })
  @ReturnsList(SshKeyRecord)
  async list(@Params() { id }: UserIdOrNameParams, @Paged() page: Page): Promise<SshKeyRecord[]> {
    const user = await this.users.findNamed(id, null);
    return (await page.load(this.keys.list(user.id))).map(presentSshKey);
  }

  @Get(':key_id')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(SshKeyRecord)
  async find(@Params() { id, key_id: keyId }: SshKeyOfUserParams): Promise<SshKeyRecord> {
    await this.users.find(id, null);
    return presentSshKey(await this.keys.find(id, keyId));
  }

  @Post()
  @Access({ admin: true, makesCredential: true })
  @Returns(SshKeyRecord, 201)
  async add(@CurrentActor() actor: Actor, @Params() params: NewSshKeyOfUserParams): Promise<SshKeyRecord> {
    return presentSshKey(await this.keys.add(actor, params.id, params));
  }

  @Delete(':key_id')
  @Access({ admin: true })
  @ReturnsNothing()
  async remove(
    @CurrentActor() actor: Actor,
    @Params() { id, key_id: keyId }: SshKeyOfUserParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.keys.remove(actor, id, keyId, unmodified);
  }
}
