import { Injectable } from '@nestjs/common';
import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { AllowedTo } from '../protection/allowed-to.params.js';
import type { ProtectionLevel } from '../protection/protected-ref-access-level.record.js';
import { ProtectedRefsQueries } from '../protection/protected-refs.queries.js';
import { ProtectedRefsService, type ProtectionValues } from '../protection/protected-refs.service.js';
import { orMaintainers, type RightsChange } from '../protection/protection-rights.service.js';
import type {
  CreateProtectedBranchParams,
  ProtectBranchParams,
  UpdateProtectedBranchParams,
} from './protected-branches.params.js';

/** Protects branches by the parameters of the API. */
@Injectable()
export class ProtectedBranchesService {
  constructor(
    private readonly refs: ProtectedRefsService,
    private readonly queries: ProtectedRefsQueries,
  ) {}

  /** Protects a branch or pattern; rights that are not given default to Maintainers. @throws 400, 409 */
  create(project: ProjectSubject, caller: Caller, params: CreateProtectedBranchParams): Promise<void> {
    const rights = rightsOf(params, caller.tier).map(orMaintainers);
    return this.refs.create(project, caller, 'branch', params.name, valuesOf(params, caller.tier), rights);
  }

  /** Updates a protection. @throws 400, 403, 404 */
  update(project: ProjectSubject, caller: Caller, params: UpdateProtectedBranchParams): Promise<void> {
    const rights = rightsOf(params, caller.tier);
    return this.refs.update(project, caller, 'branch', params.name, valuesOf(params, caller.tier), rights);
  }

  /** Protects a branch by the deprecated route, even if it is already protected. @throws 403 */
  async protect(project: ProjectSubject, caller: Caller, params: ProtectBranchParams): Promise<void> {
    const { branch, developers_can_push: push, developers_can_merge: merge } = params;
    const known = await this.queries.findOrNull(project.id, 'branch', branch);
    const changes: RightsChange[] = [
      { kind: 'push', level: levelFor(push) },
      { kind: 'merge', level: levelFor(merge) },
    ];
    if (known) await this.refs.update(project, caller, 'branch', branch, {}, changes);
    else await this.refs.create(project, caller, 'branch', branch, {}, changes.map(orMaintainers));
  }
}

const levelFor = (developersCan: boolean | undefined): ProtectionLevel | undefined =>
  developersCan === undefined ? undefined : developersCan ? Role.Developer : Role.Maintainer;

/** Rights of single users and groups need the premium plan; without it they are ignored. */
function rightsOf(params: UpdateProtectedBranchParams, tier: Tier): RightsChange[] {
  const allowed = (list: AllowedTo[] | undefined): AllowedTo[] | undefined =>
    tier >= Tier.Premium ? list : undefined;
  return [
    { kind: 'push', level: params.push_access_level, allowed: allowed(params.allowed_to_push) },
    { kind: 'merge', level: params.merge_access_level, allowed: allowed(params.allowed_to_merge) },
    {
      kind: 'unprotect',
      level: params.unprotect_access_level,
      allowed: allowed(params.allowed_to_unprotect),
    },
  ];
}

function valuesOf(params: UpdateProtectedBranchParams, tier: Tier): ProtectionValues {
  const { allow_force_push: allowForcePush, code_owner_approval_required: codeOwnerApprovalRequired } =
    params;
  return {
    ...(allowForcePush === undefined ? {} : { allowForcePush }),
    ...(codeOwnerApprovalRequired === undefined || tier < Tier.Premium ? {} : { codeOwnerApprovalRequired }),
  };
}
