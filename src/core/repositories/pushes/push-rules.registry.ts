import { Injectable } from '@nestjs/common';
import type { OpenRepository } from '../repositories.service.js';
import type { BroughtCommits } from './brought-commits.js';
import { isMisleadingName } from '../refs/new-ref-name.js';
import { actionOf, branchOf, NO_OBJECT, tagOf, type RefChange } from './ref-change.js';
import type { Pusher } from './pusher.js';

/** Requested changes for push rules to judge. */
export interface PushAttempt {
  readonly repository: OpenRepository;
  readonly pusher: Pusher;
  readonly changes: readonly RefChange[];
  /**
   * Environment in which git sees the new objects of this push, which are in quarantine until it is accepted.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Facts about its commits known without git. */
  readonly brought: BroughtCommits;
}

/** Judges a push: null to accept it, or the text with which it is rejected as a whole. */
export type PushRule = (attempt: PushAttempt) => Promise<string | null> | string | null;

/** Registry of the rules for every push, by git and by the API; modules register theirs in `onModuleInit`. */
@Injectable()
export class PushRulesRegistry {
  private readonly rules: PushRule[] = [onlyBranchesAndTags];

  register(rule: PushRule): void {
    this.rules.push(rule);
  }

  /** Returns the text of the first rule that rejects the push, or null. */
  async judge(attempt: PushAttempt): Promise<string | null> {
    for (const rule of this.rules) {
      const refusal = await rule(attempt);
      if (refusal !== null) return refusal;
    }
    return null;
  }
}

/** New branches that look like other refs, and new tags that look like those or like the id of a commit. */
function isMisleading(change: RefChange): boolean {
  if (actionOf(change) !== 'created') return false;
  const name = branchOf(change) ?? tagOf(change);
  return name !== null && (isMisleadingName(name) || /^[0-9a-f]{40}$/i.test(name));
}

/** Internal refs cannot be changed by pushes; a branch named like an object id could be mistaken for one. */
function onlyBranchesAndTags({ changes }: PushAttempt): string | null {
  for (const change of changes) {
    const branch = branchOf(change);
    if (branch === null && tagOf(change) === null && !change.ref.startsWith('refs/notes/'))
      return `The ref ${change.ref} cannot be changed: only branches, tags and notes can.`;
    if (branch !== null && change.after !== NO_OBJECT && /^[0-9a-f]{40}$/i.test(branch))
      return 'You cannot create a branch with a 40-character hexadecimal branch name.';
    if (isMisleading(change)) return `The name of ${change.ref} is ambiguous: choose another one.`;
  }
  return null;
}
