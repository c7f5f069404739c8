import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { seesRegistrationTokens } from '#kernel/access/credential-bounds.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { GroupLinksQueries } from './shares/group-links.queries.js';
import { GroupProjectsPort } from './group-projects.port.js';
import { presentGroup, type GroupRow } from './group.row.js';
import { RunnersTokenService } from './settings/runners-token.service.js';
import { groupSettings } from './settings/group-settings.js';
import type { GroupDetailRecord, GroupRecord } from './group.record.js';
import { GroupsQueries } from './groups.queries.js';

/** Presents groups, with data from other modules. */
@Injectable()
export class GroupsPresenter {
  constructor(
    private readonly groups: GroupsQueries,
    private readonly shares: GroupLinksQueries,
    private readonly projects: GroupProjectsPort,
    private readonly tokens: RunnersTokenService,
    private readonly links: Links,
  ) {}

  /** Presents a page of a list, with storage use for administrators who request it. */
  async page(
    list: ListQuery<GroupRow>,
    page: Page,
    caller: Caller,
    statistics: boolean | undefined,
  ): Promise<GroupRecord[]> {
    const rows = await page.load(list);
    const records = rows.map((row) => presentGroup(row, caller, this.links));
    if (!statistics || !caller.actor?.admin) return records;
    const sizes = await this.projects.statistics(rows.map(({ id }) => id));
    for (const record of records) {
      const found = sizes.get(record.id);
      if (found) record.statistics = found;
    }
    return records;
  }

  /** Presents a single group. `role`: the caller's role in it. */
  async detail(id: number, caller: Caller, role: Role, withProjects = true): Promise<GroupDetailRecord> {
    const row = await this.groups.find(id);
    const settings = groupSettings(row.settings);
    const record: GroupDetailRecord = Object.assign(presentGroup(row, caller, this.links), {
      shared_with_groups: await this.shares.ofGroup(id, caller, role),
      prevent_sharing_groups_outside_hierarchy: settings.prevent_sharing_groups_outside_hierarchy,
    });
    if (role >= Role.Owner)
      record.runners_token = seesRegistrationTokens(caller.credential)
        ? await this.tokens.reveal({ kind: 'Group', id })
        : null;
    if (withProjects) {
      record.projects = await this.projects.embedded(id, caller);
      record.shared_projects = await this.projects.shared(id, caller);
    }
    if (caller.tier >= Tier.Premium) {
      record.shared_runners_minutes_limit = settings.shared_runners_minutes_limit;
      record.extra_shared_runners_minutes_limit = settings.extra_shared_runners_minutes_limit;
      record.prevent_forking_outside_group = settings.prevent_forking_outside_group;
      record.membership_lock = settings.membership_lock;
      record.ip_restriction_ranges = settings.ip_restriction_ranges;
    }
    return record;
  }
}
