import { Injectable } from '@nestjs/common';
import type { Caller, SubjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { memberContainer } from '#core/members/member-container.js';
import { connectionOf, positionOf, sizeOf, type Connection, type PageArguments } from './keyset-page.js';
import { groupNode, memberNode, projectNode } from './source-nodes.js';
import { SourceQueries } from './source.queries.js';

interface ByPath {
  readonly fullPath: string;
}

interface MemberArguments extends PageArguments {
  readonly relations?: readonly string[] | null;
}

interface ProjectArguments extends PageArguments {
  readonly includeSubgroups?: boolean | null;
}

type Node = Record<string, unknown>;

/** Resolves the fields of the schema: one look-up per group, project and page, none per row. */
@Injectable()
export class SourceResolversService {
  constructor(private readonly queries: SourceQueries) {}

  /** Returns the root fields for this caller. */
  root(caller: Caller): Record<string, (given: ByPath) => Promise<Node | null>> {
    return {
      group: ({ fullPath }) => this.group(fullPath, caller),
      project: ({ fullPath }) => this.project(fullPath, caller),
    };
  }

  private async group(path: string, caller: Caller): Promise<Node | null> {
    const entered = await this.queries.enter('Group', path, caller);
    if (!entered) return null;
    const [row, inside] = entered;
    return {
      ...groupNode(row),
      groupMembers: (given: MemberArguments) => this.members(inside, given, Role.Minimal),
      projects: (given: ProjectArguments) => this.projects(inside, given),
    };
  }

  private async project(path: string, caller: Caller): Promise<Node | null> {
    const entered = await this.queries.enter('Project', path, caller);
    if (!entered) return null;
    const [row, inside] = entered;
    return {
      ...projectNode(row),
      projectMembers: (given: MemberArguments) => this.members(inside, given, Role.Guest),
    };
  }

  /** As over REST: for signed-in callers who can see the group or project. */
  private async members(
    caller: SubjectCaller,
    given: MemberArguments,
    least: Role,
  ): Promise<Connection<Node> | null> {
    const isOpen = caller.subject.visibility !== 'private' && !(caller.actor?.external ?? true);
    const isPublic = caller.subject.visibility === 'public';
    if (!caller.actor || !(caller.role >= least || isOpen || isPublic)) return null;
    const onlyDirect = given.relations?.every((relation) => relation === 'DIRECT') ?? false;
    const size = sizeOf(given);
    const rows = await this.queries.membersOf(caller, onlyDirect, positionOf(given), size + 1);
    const ids = rows.slice(0, size).map(({ id }) => id);
    const details = await this.queries.details(memberContainer(caller), ids);
    return connectionOf(rows, size, (row) => memberNode(row, details.get(row.id)));
  }

  private async projects({ subject, actor }: Caller, given: ProjectArguments): Promise<Connection<Node>> {
    const size = sizeOf(given);
    const below = given.includeSubgroups ?? false;
    const rows = await this.queries.projects(subject?.id ?? 0, below, actor, positionOf(given), size + 1);
    return connectionOf(rows, size, projectNode);
  }
}
