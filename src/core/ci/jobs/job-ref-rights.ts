import { Injectable } from '@nestjs/common';
import { Forbidden } from '#kernel/http/errors.js';
import { ProtectionsQueries, type RightsOf } from '#core/repositories/protection/protections.queries.js';

/** Who may run jobs of which branches and tags. */
@Injectable()
export class JobRefRights {
  constructor(private readonly protections: ProtectionsQueries) {}

  /** @throws 403 for whoever may neither push nor merge to a protected branch, nor create a protected tag */
  async assertMayRun(
    { projectId, ref, tag }: { readonly projectId: number; readonly ref: string; readonly tag: boolean },
    by: RightsOf,
  ): Promise<void> {
    const protection = (await this.protections.of(projectId, by)).of(tag ? 'tag' : 'branch', ref);
    const mayRun = !protection || (tag ? protection.may_create : protection.may_push || protection.may_merge);
    if (!mayRun) throw Forbidden();
  }
}
