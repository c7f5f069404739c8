import { Injectable } from '@nestjs/common';
import { onProject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { lockNoteable } from '#core/notes/noteables/noteable-lock.js';
import {
  CommandReferenceFinder,
  type CommandReference,
} from '#core/quick-actions/targets/command-reference.finder.js';
import {
  assertMay,
  CommandRefused,
  lastOf,
  shown,
  type NotedWork,
  type TargetAction,
} from '#core/quick-actions/quick-action.js';
import { lockIssue } from '../issue.rules.js';
import { IssuesService } from '../issues.service.js';
import { LinkedIssueFinder } from '../links/linked-issue.finder.js';
import { MoveIssue } from '../moves/move-issue.use-case.js';

const WITH_NOTES = '--with_notes';

/** Quick actions that relate two issues: duplicates, moves, clones. */
@Injectable()
export class IssueMoveActionsService {
  constructor(
    private readonly referenceFinder: CommandReferenceFinder,
    private readonly issues: IssuesService,
    private readonly moves: MoveIssue,
    private readonly notes: SystemNotesService,
    private readonly others: LinkedIssueFinder,
    private readonly readers: ProjectReadersQueries,
  ) {}

  /** Returns all of them. */
  all(): TargetAction[] {
    return [this.duplicate, this.move, this.clone];
  }

  /** `/duplicate`: closes the issue as a duplicate of another. */
  private readonly duplicate: TargetAction = {
    when: 'target',
    kind: 'duplicate',
    names: ['duplicate'],
    apply: async (work, uses) => {
      const { tx, caller, target, noteable } = work;
      const use = lastOf(uses);
      assertMay(target.mayUpdate, use);
      const original = await this.referenceFinder.find(
        tx,
        caller,
        target.projectId as number,
        'Issue',
        use.argument,
      );
      if (original.id === noteable.id)
        throw new CommandRefused('Could not apply /duplicate: an issue cannot be a duplicate of itself.');
      const { mayComment } = await this.others.find(
        onProject(caller),
        String(original.projectId),
        original.iid,
      );
      if (!mayComment)
        throw new CommandRefused(`Could not apply /duplicate: you cannot comment on ${shown(use.argument)}.`);
      const issue = await lockIssue(tx, noteable.id as number);
      if (issue.state === 'closed')
        throw new CommandRefused('Could not apply /duplicate: this issue is closed.');
      const { id: actorId } = caller.actor;
      // Readers of the issue may not be able to see other projects.
      const isNear = original.projectId === issue.projectId;
      const named = isNear ? `#${original.iid}` : 'another issue';
      const note = { action: 'duplicate', body: `marked this issue as a duplicate of ${named}` };
      await this.issues.close(tx, issue, actorId, note);
      await this.tellOriginal(work, original, isNear ? `#${issue.iid}` : 'another issue');
      return {
        changes: { state_event: 'close', canonical_issue_id: original.id },
        said: [`Closed this issue as a duplicate of ${shown(use.argument)}.`],
      };
    },
  };

  /** `/move`: moves the issue to another project, including the present note. */
  private readonly move: TargetAction = {
    when: 'last',
    kind: 'move',
    names: ['move'],
    apply: async (work, uses) => {
      const use = lastOf(uses);
      this.assertMember(work, use);
      const path = use.argument;
      const issue = { issue_iid: work.noteable.iid as number };
      const to = await this.target(work, use.name, path);
      await this.moves.move(onProject(work.caller), { ...issue, to_project_id: to });
      return { changes: { target_project: path }, said: [`Moved this issue to ${shown(path)}.`] };
    },
  };

  /** `/clone`: clones it in this or another project, optionally with its notes. */
  private readonly clone: TargetAction = {
    when: 'last',
    kind: 'clone',
    names: ['clone'],
    apply: async (work, uses) => {
      const use = lastOf(uses);
      this.assertMember(work, use);
      const words = use.argument.split(/\s+/);
      const given = words.filter((word) => word !== WITH_NOTES).join(' ');
      const path = given === '' ? onProject(work.caller).subject.fullPath : given;
      await this.moves.clone(onProject(work.caller), {
        issue_iid: work.noteable.iid as number,
        to_project_id: await this.target(work, use.name, path),
        with_notes: words.includes(WITH_NOTES),
      });
      return { changes: { target_clone_project: path }, said: [`Cloned this issue to ${shown(path)}.`] };
    },
  };

  /** As for the routes with the same effect. */
  private assertMember({ caller }: NotedWork, use: Parameters<typeof assertMay>[1]): void {
    assertMay(caller.role >= Role.Reporter, use);
  }

  /** A project that the caller cannot read is reported as missing. */
  private async target({ tx, caller }: NotedWork, name: string, path: string): Promise<number> {
    const id = await this.referenceFinder.project(tx, path);
    const actor = caller.actor;
    const role = id === null ? null : await this.readers.roleOf(actor, id, 'issues', Role.Guest);
    if (id === null || role === null)
      throw new CommandRefused(`Could not apply /${name}: there is no project "${shown(path)}".`);
    return id;
  }

  private async tellOriginal(
    { tx, caller }: NotedWork,
    original: CommandReference,
    named: string,
  ): Promise<void> {
    await lockNoteable(tx, 'Issue', original.id);
    const { id, projectId } = original;
    const body = `marked ${named} as a duplicate of this issue`;
    await this.notes.write(
      tx,
      { type: 'Issue', id, projectId, groupId: null },
      caller.actor.id,
      'duplicate',
      body,
    );
  }
}
