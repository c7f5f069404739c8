import { SetMetadata } from '@nestjs/common';
import type { Caller, UserCaller, SubjectCaller, ProjectCaller, GroupCaller, Actor } from './caller.js';
import type { Role, Scope, Tier } from './roles.js';

/** Parts of a project (of a group: its wiki) that can be switched off or kept to members. */
export type ProjectFeature =
  | 'issues'
  | 'repository'
  | 'merge_requests'
  | 'wiki'
  | 'builds'
  | 'snippets'
  | 'environments'
  | 'monitor'
  | 'deployments'
  | 'package_registry';

/** Who may call a route. Exactly one rule per route; the guards read nothing else. */
export interface AccessRule {
  /** No credentials needed (those that are sent must still be good). */
  readonly anyone?: true;
  /** Any signed-in user. */
  readonly user?: true;
  /** Administrators only. */
  readonly admin?: true;
  /** Least role in the project named by the subject parameter. */
  readonly project?: Role;
  /** Least role in the group named by the subject parameter. */
  readonly group?: Role;
  /** Parameter that names the subject; default `id`. */
  readonly from?: string;
  /** The subject is named by its full path only: digits are no id. */
  readonly byPath?: true;
  /** Whoever can see the subject may read, also without the role: anonymous callers too where `anyone` is set. */
  readonly publicRead?: true;
  /** The route also serves archived projects: it takes away, or it is about the project as a whole or the caller alone. */
  readonly archived?: true;
  /** Part of the project or group that must be there for the caller. */
  readonly feature?: ProjectFeature;
  /** Least plan of the instance. */
  readonly tier?: Tier;
  /** Scopes that suffice beside `api` (and `read_api` for reading); `read_*` scopes reach reading only. */
  readonly scopes?: readonly Scope[];
  /** Makes a credential that outlives the request: what is only lent, to an application or a job, does not reach it. */
  readonly makesCredential?: true;
  /** Any valid token will do, whatever its scopes. */
  readonly anyScope?: true;
  /** The token of a running job is taken; with a tier, from that plan on. */
  readonly jobToken?: true | Tier;
  /** Tokens are taken as the password of HTTP Basic too, as clients of package registries send them. */
  readonly basic?: true;
  /** Credentials that are no user's; the feature that owns the route checks them. */
  readonly credential?:
    | 'runner'
    | 'job'
    | 'alert-key'
    | 'dsn'
    | 'git-basic'
    | 'operator'
    | 'oauth'
    | 'mail-link';
  /**
   * A page for people: the session cookie alone says who they are, and whatever is no reading needs the token of the form. `open`
   * for everybody, `user` and `admin` lead others to the sign-in, `asset` asks for nobody. With `project` or `group` the user must have
   * the role there too.
   */
  readonly page?: 'asset' | 'open' | 'user' | 'admin';
  /** The page also serves users who must choose another password first; all other pages lead them to that. */
  readonly expiredPassword?: true;
  /** The page also serves users who must set up a second factor first; all other pages lead them to that. */
  readonly withoutSecondFactor?: true;
  /** The answer lasts: whether the caller may still have it is asked again while it goes on. */
  readonly lasting?: true;
}

/** Key under which a handler's rule is stored. */
export const ACCESS_RULE = 'forgeplane:access';

/** A rule by which nobody but signed-in users gets in. */
export interface UserRule extends AccessRule {
  readonly anyone?: never;
  readonly credential?: never;
  readonly page?: 'user' | 'admin';
}

interface OfProject {
  readonly project: Role;
}

interface OfGroup {
  readonly group: Role;
}

/** A rule of routes that projects and groups have alike, for signed-in users. */
export type OwnerRule = UserRule & (OfProject | OfGroup);

/** What a rule promises of the caller: the parameters of a handler may rely on that, and on nothing more. */
type Promised<R extends AccessRule> = Caller &
  (R extends UserRule ? UserCaller : unknown) &
  (R extends OfProject | OfGroup ? SubjectCaller : unknown) &
  (R extends OfProject ? ProjectCaller : unknown) &
  (R extends OfGroup ? GroupCaller : unknown);

/** `unknown` where the rule promises what the parameter expects, else a type that names the mistake. */
type Kept<R extends AccessRule, P> = P extends Caller
  ? Promised<R> extends P
    ? unknown
    : { readonly mistake: 'The access rule does not promise such a caller' }
  : P extends Actor
    ? Promised<R>['actor'] extends P
      ? unknown
      : { readonly mistake: 'The access rule lets anonymous callers in' }
    : unknown;

/** The same for all parameters of a handler. */
type AllKept<R extends AccessRule, Parameters extends readonly unknown[]> = Parameters extends readonly [
  infer First,
  ...infer Rest,
]
  ? Kept<R, First> & AllKept<R, Rest>
  : unknown;

/** States who may call the route; the handler's parameters are checked against it. */
export const Access =
  <const R extends AccessRule>(rule: R) =>
  <H extends (...args: never[]) => unknown>(
    target: object,
    name: string | symbol,
    handler: TypedPropertyDescriptor<H> & AllKept<R, Parameters<H>>,
  ): void => {
    SetMetadata(ACCESS_RULE, rule)(target, name, handler);
  };

const flagsOf = (rule: AccessRule): string[] =>
  (
    [
      'anyone',
      'user',
      'admin',
      'byPath',
      'publicRead',
      'archived',
      'anyScope',
      'makesCredential',
      'basic',
      'expiredPassword',
      'withoutSecondFactor',
      'lasting',
    ] as const
  ).filter((name) => rule[name]);

/** One line for the route table: what a change of access looks like in review. */
export function describeRule(rule: AccessRule): string {
  const parts = flagsOf(rule);
  if (rule.project !== undefined) parts.push(`project>=${rule.project}`);
  if (rule.group !== undefined) parts.push(`group>=${rule.group}`);
  if (rule.from !== undefined) parts.push(`from=${rule.from}`);
  if (rule.feature !== undefined) parts.push(`feature=${rule.feature}`);
  if (rule.tier !== undefined) parts.push(`tier>=${rule.tier}`);
  if (rule.scopes) parts.push(`scopes=${rule.scopes.join('+')}`);
  if (rule.jobToken !== undefined)
    parts.push(rule.jobToken === true ? 'job-token' : `job-token(tier>=${rule.jobToken})`);
  if (rule.credential) parts.push(`credential=${rule.credential}`);
  if (rule.page) parts.push(`page=${rule.page}`);
  return parts.join(' ');
}
