import type { Scope } from '#kernel/access/roles.js';

/** Texts about a scope, on the consent page and wherever scopes are chosen. */
export interface ScopeWords {
  /** Short name of the right. */
  readonly title: string;
  /** One sentence about what a holder of the token can do. */
  readonly description: string;
  /** Whether pages warn about its broad access. */
  readonly isWide: boolean;
}

/** Texts of all scopes; the compiler requires them for new ones. */
export const SCOPE_WORDS: Readonly<Record<Scope, ScopeWords>> = {
  api: {
    title: 'Full access to the API',
    description:
      'Read and change everything you can: groups, projects, settings, repositories and packages; values of CI variables and registration tokens too.',
    isWide: true,
  },
  read_api: {
    title: 'Read the API',
    description:
      'Read everything you can read: groups, projects, packages and private repositories, but no secrets with which something can be written.',
    isWide: false,
  },
  read_user: {
    title: 'Read your profile',
    description: 'Read your account and its activity, and the public profiles of other users.',
    isWide: false,
  },
  create_runner: {
    title: 'Create runners',
    description:
      'Register CI runners for the projects and groups that you manage, which then get their jobs and CI variables.',
    isWide: false,
  },
  k8s_proxy: {
    title: 'Reach Kubernetes clusters',
    description: 'Call the API of connected Kubernetes clusters as you.',
    isWide: false,
  },
  read_repository: {
    title: 'Read repositories',
    description: 'Pull from private repositories by Git over HTTP, and read their files.',
    isWide: false,
  },
  write_repository: {
    title: 'Write to repositories',
    description: 'Pull from and push to private repositories by Git over HTTP. It does not reach the API.',
    isWide: true,
  },
  read_registry: {
    title: 'Read container images',
    description: 'Pull images of private projects from a container registry.',
    isWide: false,
  },
  write_registry: {
    title: 'Write container images',
    description: 'Push images of private projects to a container registry.',
    isWide: false,
  },
  sudo: {
    title: 'Act as any user',
    description: 'Do anything on behalf of any user. This works only for administrators.',
    isWide: true,
  },
  admin_mode: {
    title: 'Use the rights of an administrator',
    description: 'Use the API for administrators while admin mode is required.',
    isWide: true,
  },
  openid: {
    title: 'Sign you in',
    description: 'Learn who you are by OpenID Connect, including the groups that you belong to.',
    isWide: false,
  },
  profile: {
    title: 'Read your public profile',
    description: 'Read your name, username, picture and website by OpenID Connect.',
    isWide: false,
  },
  email: {
    title: 'Read your e-mail address',
    description: 'Read your primary e-mail address by OpenID Connect.',
    isWide: false,
  },
};
