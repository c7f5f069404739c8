import { SetMetadata } from '@nestjs/common';
import type { Caller, UserCaller, SubjectCaller, ProjectCaller, GroupCaller, Actor } from './caller.js';
import type { Role, Scope, Tier } from './roles.js';

/** Features of a project (of a group: its wiki) that can be disabled or restricted to members. */
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

/** Who may call a route. Every route has exactly one rule, which is all that the guards read. */
export interface AccessRule {
  /** No credentials needed; any that are sent must still be valid. */
  readonly anyone?: true;
  /** Any signed-in user. */
  readonly user?: true;
  /** Administrators only. */
  readonly admin?: true;
  /** Minimum role in the project named by the subject parameter. */
  readonly project?: Role;
  /** Minimum role in the group named by the subject parameter. */
  readonly group?: Role;
  /** Parameter that names the subject; default `id`. */
  readonly from?: string;
  /** The subject is named by its full path only: digits are not an id. */
  readonly byPath?: true;
  /** Anyone who can see the subject may read, even without the role; with `anyone`, anonymous callers too. */
  readonly publicRead?: true;
  /**
   * The route also works on archived projects: it removes something, or concerns the project as a whole or
   * only the caller.
   */
  readonly archived?: true;
  /** Feature of the project or group that must be available to the caller. */
  readonly feature?: ProjectFeature;
  /** Minimum tier of the instance. */
  readonly tier?: Tier;
  /** Scopes accepted besides `api` (and `read_api` for reading); `read_*` scopes permit reading only. */
  readonly scopes?: readonly Scope[];
  /**
   * Creates a credential that outlives the request, so credentials lent to an application or a job are
   * rejected.
   */
  readonly makesCredential?: true;
  /** Any valid token is accepted, regardless of its scopes. */
  readonly anyScope?: true;
  /** CI job tokens are accepted; with a tier, from that tier on. */
  readonly jobToken?: true | Tier;
  /** Tokens are also accepted as the password of HTTP Basic, as clients of package registries send them. */
  readonly basic?: true;
  /** Credentials that belong to no user; the feature that owns the route checks or ignores them. */
  readonly credential?:
    | 'runner'
    | 'job'
    | 'alert-key'
    | 'dsn'
    | 'git-basic'
    | 'operator'
    | 'oauth'
    | 'mail-link'
    | 'ignored';
  /**
   * An HTML page: only the session cookie identifies the user, and any request that is not a read needs the
   * CSRF token. `open` is for everyone, `user` and `admin` redirect others to the sign-in page, `asset` needs
   * no user. With `project` or `group` the user must have that role too.
   */
  readonly page?: 'asset' | 'open' | 'user' | 'admin';
  /**
   * The page also serves users who must first change their password; all other pages redirect them to that.
   */
  readonly expiredPassword?: true;
  /**
   * The page also serves users who must first set up a second factor; all other pages redirect them to that.
   */
  readonly withoutSecondFactor?: true;
  /** The response is long-lived: the caller's authorization is checked again while it continues. */
  readonly lasting?: true;
}

/** Metadata key under which a handler's rule is stored. */
export const ACCESS_RULE = 'forgeplane:access';

/** A rule that admits only signed-in users. */
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

/** A rule of routes that projects and groups share, for signed-in users. */
export type OwnerRule = UserRule & (OfProject | OfGroup);

/** What a rule guarantees about the caller: the parameters of a handler may rely on that and nothing more. */
type Promised<R extends AccessRule> = Caller &
  (R extends UserRule ? UserCaller : unknown) &
  (R extends OfProject | OfGroup ? SubjectCaller : unknown) &
  (R extends OfProject ? ProjectCaller : unknown) &
  (R extends OfGroup ? GroupCaller : unknown);

/** `unknown` if the rule guarantees what the parameter expects, otherwise a type that names the mistake. */
type Kept<R extends AccessRule, P> = P extends Caller
  ? Promised<R> extends P
    ? unknown
    : { readonly mistake: 'The access rule does not guarantee such a caller' }
  : P extends Actor
    ? Promised<R>['actor'] extends P
      ? unknown
      : { readonly mistake: 'The access rule admits anonymous callers' }
    : unknown;

/** The same for all parameters of a handler. */
type AllKept<R extends AccessRule, Parameters extends readonly unknown[]> = Parameters extends readonly [
  infer First,
  ...infer Rest,
]
  ? Kept<R, First> & AllKept<R, Rest>
  : unknown;

/** Declares who may call the route; the types of the handler's parameters are checked against it. */
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

/** Describes a rule in one line of the route table, which shows changes of access in review. */
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
