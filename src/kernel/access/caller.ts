import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf } from '#kernel/http/request.js';
import type { Role, Scope, Tier } from './roles.js';

/** The user on whose behalf a request runs. */
export interface Actor {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: string;
  readonly admin: boolean;
  /** External users do not see what is merely internal. */
  readonly external: boolean;
  readonly userType: string;
}

/** How the caller authenticated. */
export interface Credential {
  readonly kind: 'personal' | 'oauth' | 'session' | 'job';
  /** Id of the token, the session or the job. */
  readonly id: number;
  readonly scopes: readonly Scope[];
  readonly impersonation: boolean;
}

/** Fields that all subjects share. */
interface Subject {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly fullName: string;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly settings: Readonly<Record<string, unknown>>;
  /** Ids of the ancestor groups, root first; a group's own id is the last. */
  readonly traversalIds: readonly number[];
  readonly updatedAt: Date;
  /** Whether the request named it by a former path. */
  readonly byOldPath: boolean;
}

/** The project that a request is about. */
export interface ProjectSubject extends Subject {
  readonly kind: 'Project';
  readonly namespaceId: number;
  readonly namespaceType: 'User' | 'Group';
  readonly archived: boolean;
  readonly defaultBranch: string | null;
}

/** The group that a request is about. */
export interface GroupSubject extends Subject {
  readonly kind: 'Group';
  readonly parentId: number | null;
}

/** The caller, their credential and the subject, filled in by the guards in order. */
export interface Caller {
  /**
   * The user whose rights apply: the one named by sudo, otherwise the owner of the credential. Null for
   * anonymous callers.
   */
  readonly actor: Actor | null;
  /** The owner of the credential; differs from the actor under sudo. */
  readonly owner: Actor | null;
  readonly credential: Credential | null;
  /** Whom `sudo` names, if sent: another user, the owner of the credential, or no existing user. */
  readonly sudo: 'other' | 'self' | 'unknown' | null;
  readonly tier: Tier;
  readonly subject: ProjectSubject | GroupSubject | null;
  /** Effective role in the subject; Admin for administrators. */
  readonly role: Role;
  /**
   * Deadline for the caller of a session to set up the second factor that is required; after that nothing
   * else is allowed.
   */
  readonly secondFactorDueAt?: Date;
}

/** A caller on a route for signed-in users, as ensured by the guards. */
export interface UserCaller extends Caller {
  readonly actor: Actor;
  readonly owner: Actor;
}

/** A caller on a route about a project or a group. */
export interface SubjectCaller extends Caller {
  readonly subject: ProjectSubject | GroupSubject;
}

/** A caller on a route about a project. */
export interface ProjectCaller extends Caller {
  readonly subject: ProjectSubject;
}

/** A caller on a route about a group. */
export interface GroupCaller extends Caller {
  readonly subject: GroupSubject;
}

/** Narrows the caller to one with a project as subject. @throws Error if it has none, which is a bug */
export function onProject<C extends Caller>(caller: C): C & ProjectCaller {
  if (caller.subject?.kind !== 'Project') throw new Error('The subject of this request is not a project');
  return caller as C & ProjectCaller;
}

/** Narrows the caller to one with a group as subject. @throws Error if it has none, which is a bug */
export function onGroup<C extends Caller>(caller: C): C & GroupCaller {
  if (caller.subject?.kind !== 'Group') throw new Error('The subject of this request is not a group');
  return caller as C & GroupCaller;
}

const callerOf = (context: ExecutionContext): Caller => requestOf(context).access as Caller;

/** Parameter decorator for the whole caller. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller =>
  callerOf(context),
);

/** Parameter decorator for the acting user; null only on routes for anyone. */
export const CurrentActor = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => callerOf(context).actor,
);

/** Parameter decorator for the project of the request. */
export const CurrentProject = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => callerOf(context).subject,
);

/** Parameter decorator for the group of the request. */
export const CurrentGroup = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => callerOf(context).subject,
);

/** Parameter decorator for the project or group of the request, for routes that both share. */
export const CurrentSubject = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => callerOf(context).subject,
);
