import { Injectable } from '@nestjs/common';
import type { OpenRepository } from '../repositories.service.js';
import type { BroughtCommits } from './brought-commits.js';
import { isMisleadingName } from '../refs/new-ref-name.js';
import { actionOf, branchOf, NO_OBJECT, tagOf, type RefChange } from './ref-change.js';
import type { Pusher } from './pusher.js';

/** What wants to be changed, for the rules to judge. */
export interface PushAttempt {
  readonly repository: OpenRepository;
  readonly pusher: Pusher;
  readonly changes: readonly RefChange[];
  /** Environment under which git sees the new objects of this push, which are in quarantine until it has passed. */
  readonly env: Readonly<Record<string, string>>;
  /** What is known of its commits without asking git. */
  readonly brought: BroughtCommits;
}

/** Judges an attempt: null to let it pass, or the text with which all of it is refused. */
export type PushRule = (attempt: PushAttempt) => Promise<string | null> | string | null;

/** The rules of every push, by git and by the API; modules add theirs in `onModuleInit`. */
@Injectable()
export class PushRulesRegistry {
  private readonly rules: PushRule[] = [onlyBranchesAndTags];

  register(rule: PushRule): void {
    this.rules.push(rule);
  }

  /** The text of the first rule that refuses, or null. */
  async judge(attempt: PushAttempt): Promise<string | null> {
    for (const rule of this.rules) {
      const refusal = await rule(attempt);
      if (refusal !== null) return refusal;
    }
    return null;
  }
}

/** New branches that read as other refs, and new tags that read as those or as the id of a commit. */
function isMisleading(change: RefChange): boolean {
  if (actionOf(change) !== 'created') return false;
  const name = branchOf(change) ?? tagOf(change);
  return name !== null && (isMisleadingName(name) || /^[0-9a-f]{40}$/i.test(name));
}

/** Refs of our own are nobody's to change; a branch that reads as an object id could be taken for one. */
function onlyBranchesAndTags({ changes }: PushAttempt): string | null {
  for (const change of changes) {
    const branch = branchOf(change);
    if (branch === null && tagOf(change) === null && !change.ref.startsWith('refs/notes/'))
      return `The ref ${change.ref} cannot be changed: only branches, tags and notes can.`;
    if (branch !== null && change.after !== NO_OBJECT && /^[0-9a-f]{40}$/i.test(branch))
      return 'You cannot create a branch with a 40-character hexadecimal branch name.';
    if (isMisleading(change))
      return `The name of ${change.ref} would be taken for something else: choose another one.`;
  }
  return null;
}
