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
  /** External users see nothing that is merely internal. */
  readonly external: boolean;
  readonly userType: string;
}

/** How the caller proved who they are. */
export interface Credential {
  readonly kind: 'personal' | 'oauth' | 'session' | 'job';
  /** Of the token, the session or the job. */
  readonly id: number;
  readonly scopes: readonly Scope[];
  readonly impersonation: boolean;
}

/** What every subject has in common. */
interface Subject {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly fullName: string;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly settings: Readonly<Record<string, unknown>>;
  /** Ids of the groups above, root first; a group's own id is the last. */
  readonly traversalIds: readonly number[];
  readonly updatedAt: Date;
  /** Whether the request named it by a path that it had before. */
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

/** Who calls, by what right, and what about: filled in by the guards, in their order. */
export interface Caller {
  /** The user whose rights count: the one named by sudo, else the owner of the credential. Null for anonymous callers. */
  readonly actor: Actor | null;
  /** The owner of the credential: differs from the actor under sudo. */
  readonly owner: Actor | null;
  readonly credential: Credential | null;
  /** Whom `sudo` names, if it was sent: another user, the owner of the credential, or nobody that exists. */
  readonly sudo: 'other' | 'self' | 'unknown' | null;
  readonly tier: Tier;
  readonly subject: ProjectSubject | GroupSubject | null;
  /** Effective role in the subject; Admin for administrators. */
  readonly role: Role;
  /** By when the caller of a session must set up the second factor that the instance asks for; past, nothing else may be done. */
  readonly secondFactorDueAt?: Date;
}

/** A caller on a route for signed-in users: the guards have let nobody else through. */
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

/** The same caller, whose subject is a project. @throws Error where it is none, which is a mistake of the product's own */
export function onProject<C extends Caller>(caller: C): C & ProjectCaller {
  if (caller.subject?.kind !== 'Project') throw new Error('The subject of this request is no project');
  return caller as C & ProjectCaller;
}

/** The same caller, whose subject is a group. @throws Error where it is none, which is a mistake of the product's own */
export function onGroup<C extends Caller>(caller: C): C & GroupCaller {
  if (caller.subject?.kind !== 'Group') throw new Error('The subject of this request is no group');
  return caller as C & GroupCaller;
}

const callerOf = (context: ExecutionContext): Caller => requestOf(context).access as Caller;

/** Hands a handler the whole caller. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller =>
  callerOf(context),
);

/** Hands a handler the acting user; null only on routes for anyone. */
export const CurrentActor = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => callerOf(context).actor,
);

/** Hands a handler the project of the request. */
export const CurrentProject = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => callerOf(context).subject,
);

/** Hands a handler the group of the request. */
export const CurrentGroup = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => callerOf(context).subject,
);

/** Hands a handler the project or group of the request, where routes of both are the same. */
export const CurrentSubject = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => callerOf(context).subject,
);
