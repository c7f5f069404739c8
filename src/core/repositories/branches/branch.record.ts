import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';
import { CommitRecord, presentCommit } from '../commits/commit.record.js';
import type { Commit } from '../git/commit-log.js';
import type { Protection } from '../protection/protections.js';

/** A branch with its newest commit. */
export class BranchRecord {
  @Text({ example: 'main' })
  name!: string;

  @Nested(() => CommitRecord)
  commit!: CommitRecord;

  @Flag({ description: 'Whether the default branch contains its commits' })
  merged!: boolean;

  @Flag()
  protected!: boolean;

  @Flag()
  developers_can_push!: boolean;

  @Flag()
  developers_can_merge!: boolean;

  @Flag({ description: 'Whether the caller may push to it' })
  can_push!: boolean;

  @Flag()
  default!: boolean;

  @Text()
  web_url!: string;
}

/** A branch with its commit and protection. */
export interface Branch {
  readonly name: string;
  readonly commit: Commit;
  readonly merged: boolean;
  readonly default: boolean;
  /** Null if it is not protected. */
  readonly protection: Protection | null;
}

/** Returns whether the caller may push to unprotected branches. */
export const mayPush = ({ archived }: ProjectSubject, { role }: Caller): boolean =>
  role >= Role.Developer && !archived;

/**
 * Presents a branch. `mayWrite`: whether the caller may push to the project at all; `webBase`: page of the
 * project.
 */
export function presentBranch(branch: Branch, mayWrite: boolean, webBase: string): BranchRecord {
  const { name, commit, protection } = branch;
  return {
    name,
    commit: presentCommit(commit, webBase),
    merged: branch.merged,
    protected: protection !== null,
    developers_can_push: protection?.developers_can_push ?? false,
    developers_can_merge: protection?.developers_can_merge ?? false,
    can_push: mayWrite && (protection?.may_push ?? true),
    default: branch.default,
    web_url: `${webBase}/-/tree/${name.split('/').map(encodeURIComponent).join('/')}`,
  };
}
