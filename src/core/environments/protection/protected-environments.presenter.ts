import { Injectable } from '@nestjs/common';
import type { GroupSubject, ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import {
  presentProtectedEnvironment,
  type ProtectedEnvironmentRecord,
} from './protected-environment.record.js';
import { ProtectedEnvironmentsQueries } from './protected-environments.queries.js';
import { protectionOwner } from './protection-owner.js';

/** Presents protections of projects and groups. */
@Injectable()
export class ProtectedEnvironmentsPresenter {
  constructor(private readonly queries: ProtectedEnvironmentsQueries) {}

  /** Returns a page of protections. */
  async list(container: ProjectSubject | GroupSubject, page: Page): Promise<ProtectedEnvironmentRecord[]> {
    const rows = await page.load(this.queries.list(protectionOwner(container)));
    return rows.map(presentProtectedEnvironment);
  }

  /** Returns the protection with a name. @throws 404 */
  async find(container: ProjectSubject | GroupSubject, name: string): Promise<ProtectedEnvironmentRecord> {
    const row = await this.queries.find(protectionOwner(container), name);
    if (!row) throw notFound('Protected Environment');
    return presentProtectedEnvironment(row);
  }
}
