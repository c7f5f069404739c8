import { Injectable } from '@nestjs/common';
import type { Caller, SubjectCaller } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import { notFound } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { memberContainer } from './member-container.js';
import { presentMember, type MemberRecord } from './member.record.js';
import { MembersQueries } from './members.queries.js';
import type { ListAllMembersParams, ListMembersParams } from './members.params.js';

/** Reads and presents members of groups and projects. */
@Injectable()
export class MembersPresenter {
  constructor(
    private readonly queries: MembersQueries,
    private readonly links: Links,
  ) {}

  /** Returns a page of direct members. */
  async list(caller: SubjectCaller, params: ListMembersParams, page: Page): Promise<MemberRecord[]> {
    const rows = await page.load(this.queries.filter(this.queries.direct(memberContainer(caller)), params));
    return rows.map((row) => presentMember(row, viewOf(caller, params.show_seat_info), this.links));
  }

  /** Returns a page of all users with a role. */
  async listAll(caller: SubjectCaller, params: ListAllMembersParams, page: Page): Promise<MemberRecord[]> {
    const list = this.queries.filter(this.queries.all(memberContainer(caller), caller), params);
    if (params.state === 'awaiting' && caller.tier >= Tier.Premium) list.where('false');
    const rows = await page.load(list);
    return rows.map((row) => presentMember(row, viewOf(caller, params.show_seat_info), this.links));
  }

  /** Returns a direct member. @throws 404 */
  async find(caller: SubjectCaller, userId: number): Promise<MemberRecord> {
    const row = await this.queries.pick(this.queries.direct(memberContainer(caller)), userId);
    if (!row) throw notFound('Member');
    return presentMember(row, viewOf(caller), this.links);
  }

  /** Returns one of all users with a role. @throws 404 */
  async findInAll(caller: SubjectCaller, userId: number): Promise<MemberRecord> {
    const row = await this.queries.pick(this.queries.all(memberContainer(caller), caller), userId);
    if (!row) throw notFound('Member');
    return presentMember(row, viewOf(caller), this.links);
  }
}

const viewOf = ({ tier, actor }: Caller, withSeat?: boolean): Parameters<typeof presentMember>[1] => ({
  isPremium: tier >= Tier.Premium,
  reader: actor,
  withSeat,
});
