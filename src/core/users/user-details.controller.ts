import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { Count, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { UserIdParams, UserIdOrNameParams } from './changes/users.params.js';
import { presentStatus, UserStatusRecord } from './states/user-status.js';
import { UsersQueries } from './lists/users.queries.js';

const SOURCES = ['Project', 'Namespace'] as const;

/** A group or project that a user is a direct member of. */
export class MembershipRecord {
  @Id()
  source_id!: number;

  @Text()
  source_name!: string;

  @OneOf(SOURCES)
  source_type!: (typeof SOURCES)[number];

  @Count()
  access_level!: number;
}

/** Filters of a user's memberships. */
export class ListMembershipsParams extends UserIdParams {
  @OneOf(SOURCES, { optional: true })
  type?: (typeof SOURCES)[number];
}

const MEMBERSHIPS: ListShape = {
  kind: 'Member',
  select: 'm.id, m.source_id, coalesce(p.name, n.name) as source_name, m.source_type, m.access_level',
  from: `members m left join projects p on m.source_type = 'Project' and p.id = m.source_id and not p.pending_delete
    left join namespaces n on m.source_type = 'Namespace' and n.id = m.source_id and not n.pending_delete`,
  key: 'm.id',
};

/** Details of a user besides the profile. */
@Controller('api/v4/users/:id')
export class UserDetailsController {
  constructor(private readonly users: UsersQueries) {}

  @Get('status')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(UserStatusRecord)
  async status(@Params() { id }: UserIdOrNameParams): Promise<UserStatusRecord> {
    return presentStatus((await this.users.findNamed(id, null)).status);
  }

  @Get('memberships')
  @Access({ admin: true, scopes: ['read_user'] })
  @ReturnsList(MembershipRecord)
  async memberships(
    @Params() { id, type }: ListMembershipsParams,
    @Paged() page: Page,
  ): Promise<MembershipRecord[]> {
    await this.users.find(id, null);
    const query = new ListQuery<MembershipRecord>(MEMBERSHIPS)
      .of('m.user_id', id)
      .where('(m.expires_at is null or m.expires_at > current_date)')
      .where('coalesce(p.id, n.id) is not null');
    if (type) query.where('m.source_type = ?', type);
    const rows = await page.load(query);
    return rows.map(({ source_id, source_name, source_type, access_level }) => ({
      source_id,
      source_name,
      source_type,
      access_level,
    }));
  }
}
