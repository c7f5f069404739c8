import { Controller, Get } from '@nestjs/common';
import { Access, type AccessRule } from '#kernel/access/access.js';
import { type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { CountGroupActivityParams } from './group-activity.params.js';
import { GroupActivityQueries } from './group-activity.queries.js';
import {
  IssuesCountRecord,
  MergeRequestsCountRecord,
  NewMembersCountRecord,
} from './group-activity.record.js';

const READ = {
  group: Role.Guest,
  from: 'group_path',
  byPath: true,
  publicRead: true,
  tier: Tier.Premium,
} satisfies AccessRule;

/** Recent activity in a group and below it, limited to what the caller may read. */
@Controller('api/v4/analytics/group_activity')
export class GroupActivityController {
  constructor(private readonly activity: GroupActivityQueries) {}

  @Get('issues_count')
  @Access(READ)
  @Returns(IssuesCountRecord)
  async issues(
    @CurrentCaller() caller: UserCaller,
    @Params() params: CountGroupActivityParams,
  ): Promise<IssuesCountRecord> {
    return { issues_count: await this.activity.count('issues', caller, params) };
  }

  @Get('merge_requests_count')
  @Access(READ)
  @Returns(MergeRequestsCountRecord)
  async mergeRequests(
    @CurrentCaller() caller: UserCaller,
    @Params() params: CountGroupActivityParams,
  ): Promise<MergeRequestsCountRecord> {
    return { merge_requests_count: await this.activity.count('merge_requests', caller, params) };
  }

  @Get('new_members_count')
  @Access(READ)
  @Returns(NewMembersCountRecord)
  async newMembers(
    @CurrentCaller() caller: UserCaller,
    @Params() params: CountGroupActivityParams,
  ): Promise<NewMembersCountRecord> {
    return { new_members_count: await this.activity.count('new_members', caller, params) };
  }
}
