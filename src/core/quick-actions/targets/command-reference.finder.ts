import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Links } from '#kernel/http/links.js';
import { NoteableRegistry } from '#core/notes/noteables/noteable.registry.js';
import { CommandRefused, shown } from '../quick-action.js';
import { referenceIn, type Reference } from '../parsing/references.js';

/** An issue or merge request that an argument names. */
export interface CommandReference {
  readonly type: 'Issue' | 'MergeRequest';
  readonly id: number;
  readonly iid: number;
  readonly projectId: number;
}

const KINDS = {
  Issue: { sign: '#', table: 'issues', name: 'issue' },
  MergeRequest: { sign: '!', table: 'merge_requests', name: 'merge request' },
} as const;

const PROJECT = `select p.id from routes r join projects p on p.id = r.source_id and not p.pending_delete
  where r.path = lower($1) and not r.redirect and r.source_type = 'Project'`;

/** Finds the objects that arguments name. */
@Injectable()
export class CommandReferenceFinder {
  constructor(
    private readonly noteables: NoteableRegistry,
    private readonly links: Links,
  ) {}

  /**
   * Finds the object of a type that an argument names, relative to a project. @throws CommandRefused also if
   * the caller cannot read it
   */
  async find(
    tx: Tx,
    caller: UserCaller,
    projectId: number,
    type: CommandReference['type'],
    argument: string,
  ): Promise<CommandReference> {
    const { sign, table, name } = KINDS[type];
    const refused = new CommandRefused(`Could not find the ${name} "${shown(argument)}".`);
    const reference = referenceIn(argument, sign, this.links.base);
    const targetProjectId = reference && (await this.projectOf(tx, reference, projectId));
    if (!reference || targetProjectId === null) throw refused;
    const [row] = await tx.query<{ id: number }[]>(
      `select x.id from ${table} x where x.project_id = $1 and x.iid = $2`,
      [targetProjectId, reference.iid],
    );
    const { id: userId } = caller.actor;
    const readers = row && (await this.noteables.of(type).readersAmong(row.id, [userId], false));
    if (!row || !readers?.has(userId)) throw refused;
    return { type, id: row.id, iid: reference.iid, projectId: targetProjectId };
  }

  /** Finds the project of a full path; does not check the caller's access. */
  async project(tx: Tx, path: string): Promise<number | null> {
    const [row] = await tx.query<{ id: number }[]>(PROJECT, [path]);
    return row?.id ?? null;
  }

  private projectOf(tx: Tx, { path }: Reference, projectId: number): Promise<number | null> {
    return path === null ? Promise.resolve(projectId) : this.project(tx, path);
  }
}
