import { Controller, Delete, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type UserCaller,
  type GroupCaller,
  type GroupSubject,
  CurrentCaller,
  CurrentGroup,
} from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { DeleteGroup } from './deletion/delete-group.use-case.js';
import { GroupSharesService } from './shares/group-shares.service.js';
import { GroupDetailRecord } from './group.record.js';
import {
  ShareGroupParams,
  TransferGroupParams as TransferParams,
  UnshareGroupParams,
} from './groups.params.js';
import { GroupsPresenter } from './groups.presenter.js';
import { TransferGroup } from './transfer/transfer-group.use-case.js';

/** Actions of owners on a group as a whole. */
@Controller('api/v4/groups')
export class GroupActionsController {
  constructor(
    private readonly transfers: TransferGroup,
    private readonly shares: GroupSharesService,
    private readonly deletion: DeleteGroup,
    private readonly presenter: GroupsPresenter,
  ) {}

  @Post(':id/transfer')
  @Access({ group: Role.Owner })
  @Returns(GroupDetailRecord, 201)
  async transfer(
    @CurrentCaller() caller: UserCaller,
    @CurrentGroup() group: GroupSubject,
    @Params() params: TransferParams,
  ): Promise<GroupDetailRecord> {
    await this.transfers.run(caller, group.id, params.group_id ?? null);
    return this.presenter.detail(group.id, caller, caller.role);
  }

  @Post(':id/restore')
  @Access({ group: Role.Owner, tier: Tier.Premium })
  @Returns(GroupDetailRecord, 201)
  async restore(
    @CurrentCaller() caller: GroupCaller,
    @CurrentGroup() group: GroupSubject,
  ): Promise<GroupDetailRecord> {
    await this.deletion.restore(caller);
    return this.presenter.detail(group.id, caller, caller.role);
  }

  @Post(':id/share')
  @Access({ group: Role.Owner })
  @Returns(GroupDetailRecord, 201)
  async share(
    @CurrentCaller() caller: UserCaller & GroupCaller,
    @CurrentGroup() group: GroupSubject,
    @Params() params: ShareGroupParams,
  ): Promise<GroupDetailRecord> {
    await this.shares.share(caller, params);
    return this.presenter.detail(group.id, caller, caller.role);
  }

  @Delete(':id/share/:group_id')
  @Access({ group: Role.Owner })
  @ReturnsNothing()
  unshare(
    @CurrentCaller() caller: GroupCaller,
    @Params() params: UnshareGroupParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.shares.unshare(caller, params.group_id, unmodified);
  }
}
