import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { Role } from '#kernel/access/roles.js';
import { GitFailure } from '../git/git-failure.js';
import { gitTells } from '../git/git.js';
import { PushRulesRegistry, type PushAttempt } from '../pushes/push-rules.registry.js';
import { actionOf, branchOf, tagOf, type RefChange } from '../pushes/ref-change.js';
import { BranchGuestsPort } from './branch-guests.port.js';
import { PROTECTION_TEXTS as texts } from './protection-texts.js';
import { ProtectionsQueries } from './protections.queries.js';
import type { Protections } from './protections.js';

/** Limit of protected branches that one push may update. */
const MAX_MOVED = 500;
/** Changes judged between two yields to the event loop. */
const CHANGES_AT_ONCE = 100;

/** Checks every push to the code of a project against its protected branches and tags (`ops.md` 3.5). */
@Injectable()
export class ProtectionPushRuleContribution implements OnModuleInit {
  constructor(
    private readonly rules: PushRulesRegistry,
    private readonly protections: ProtectionsQueries,
    private readonly guests: BranchGuestsPort,
  ) {}

  onModuleInit(): void {
    this.rules.register((attempt) => this.judge(attempt));
  }

  /**
   * Returns the text of the first refusal, or null. Runs one statement, and git only for protected branches.
   */
  async judge(attempt: PushAttempt): Promise<string | null> {
    const { repository, pusher, changes } = attempt;
    if (repository.ownerType !== 'Project' || repository.kind !== 'code') return null;
    const protections = await this.protections.of(repository.ownerId, pusher);
    if (pusher.role < Role.Developer) {
      const open = await this.guests.branchesOf(repository.ownerId, pusher.userId);
      return changes.every((change) => isOpen(change, open, protections)) ? null : texts.mayNotPush;
    }
    let asked = 0;
    for (const [index, change] of changes.entries()) {
      // Many names and patterns must not block the event loop.
      if (index % CHANGES_AT_ONCE === CHANGES_AT_ONCE - 1) await setImmediate();
      if (needsGit(change, protections) && ++asked > MAX_MOVED) return texts.tooMany;
      const refusal =
        judgeTag(attempt, change, protections) ?? (await judgeBranch(attempt, change, protections));
      if (refusal !== null) return refusal;
    }
    return null;
  }
}

/** Guests may update existing branches, but neither create nor remove them. */
function isOpen(change: RefChange, open: ReadonlySet<string>, protections: Protections): boolean {
  const branch = branchOf(change);
  if (branch === null || actionOf(change) !== 'pushed' || !open.has(branch)) return false;
  return protections.of('branch', branch) === null;
}

function judgeTag({ pusher }: PushAttempt, change: RefChange, protections: Protections): string | null {
  const tag = tagOf(change);
  if (tag === null) return null;
  const action = actionOf(change);
  if (action !== 'created' && pusher.role < Role.Maintainer) return texts.changeTag;
  const protection = protections.of('tag', tag);
  if (!protection) return null;
  if (action === 'pushed') return texts.updateProtectedTag;
  if (action === 'removed') return pusher.via === 'git' ? texts.deleteProtectedTag : null;
  return protection.may_create ? null : texts.createProtectedTag;
}

async function judgeBranch(
  attempt: PushAttempt,
  change: RefChange,
  protections: Protections,
): Promise<string | null> {
  const branch = branchOf(change);
  if (branch === null) return null;
  const action = actionOf(change);
  if (action === 'removed' && branch === protections.defaultBranch) return texts.deleteDefault;
  const protection = protections.of('branch', branch);
  if (!protection) return null;
  if (action === 'removed') {
    if (attempt.pusher.role < Role.Maintainer) return texts.deleteProtected;
    return attempt.pusher.via === 'git' ? texts.deleteByGit : null;
  }
  if (action === 'created') return protection.may_push ? null : texts.createProtected;
  if (!protection.allow_force_push && !(await isFastForward(attempt, change))) return texts.forcePush;
  const mayMerge = attempt.pusher.via === 'merge' && protection.may_merge;
  return protection.may_push || mayMerge ? null : texts.push;
}

/** Returns whether only git can decide on the change, which costs a process. */
function needsGit(change: RefChange, protections: Protections): boolean {
  const branch = branchOf(change);
  if (branch === null || actionOf(change) !== 'pushed') return false;
  return protections.of('branch', branch)?.allow_force_push === false;
}

/** Returns whether the update is a fast-forward; false also for objects that are not commits. */
async function isFastForward({ repository, env, brought }: PushAttempt, change: RefChange): Promise<boolean> {
  if (brought.lineOf(change)) return true;
  try {
    const operands = ['--end-of-options', change.before, change.after];
    return await gitTells(repository.path, ['merge-base', '--is-ancestor', ...operands], { env });
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return false;
    throw error;
  }
}
