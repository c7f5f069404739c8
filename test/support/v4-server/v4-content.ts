import type { V4Tree } from './v4-exports.js';
import { BUG, epics, issues, SPRINT, TEAM, YEAR } from './v4-planning.js';
import { mergeRequests } from './v4-merge-requests.js';
import { pipelines } from './v4-pipelines.js';
import { protectedBranches, protectedTags, snippetRecords, snippets } from './v4-snippets-and-protections.js';
import type { V4Repositories } from './v4-repositories.js';
import type { V4Content, V4Container } from './v4-server.js';
import type { V4Version } from './v4-version.js';

/** Address of the one user of the source who is known at both ends. */
export const ADA = 'Ada@V4.example';

const CREATED = '2018-01-02T03:04:05.678Z';

const usersOf = ({ userAddress }: V4Version): V4Content['users'] =>
  [
    { id: 90, username: 'ada', name: 'Ada', address: ADA, confirmed_at: CREATED },
    { id: 91, username: 'zoe', name: 'Zoe of the source', address: 'zoe@v4.example', confirmed_at: CREATED },
  ].map(({ address, confirmed_at, ...user }) => ({
    ...{
      ...user,
      state: 'active',
      avatar_url: null,
      bio: '',
      bot: false,
      followers: 0,
      web_url: `https://v4.example/${user.username}`,
    },
    ...(userAddress === 'email'
      ? {
          public_email: null,
          email: address,
          confirmed_at,
          is_admin: false,
          two_factor_enabled: false,
          identities: [],
        }
      : { public_email: address }),
  }));

const member = (id: number, access_level: number): object => ({
  ...{
    id,
    username: id === 90 ? 'ada' : 'zoe',
    name: 'Somebody',
    state: 'active',
    locked: false,
    avatar_url: null,
  },
  ...{
    access_level,
    created_at: CREATED,
    expires_at: null,
    membership_state: 'active',
    created_by: { id: 1 },
  },
});

function groupRecord({ hasOldNames }: V4Version, id: number, path: string): V4Container['record'] {
  const slug = path.split('/').at(-1);
  const mails = hasOldNames ? { emails_disabled: true } : { emails_disabled: true, emails_enabled: false };
  return {
    ...{
      id,
      name: `Group ${slug}`,
      path: slug,
      full_path: path,
      full_name: path,
      description: `About ${slug}`,
    },
    ...{ visibility: 'public', share_with_group_lock: false, require_two_factor_authentication: false },
    ...{
      two_factor_grace_period: 48,
      project_creation_level: 'maintainer',
      auto_devops_enabled: null,
      parent_id: null,
    },
    ...{
      subgroup_creation_level: 'owner',
      mentions_disabled: null,
      lfs_enabled: true,
      default_branch_protection: 2,
    },
    ...{
      avatar_url: null,
      request_access_enabled: false,
      created_at: CREATED,
      ldap_cn: null,
      runners_token: 'secret',
    },
    ...{
      default_branch_protection_defaults: { allowed_to_push: [{ access_level: 30 }] },
      shared_runners_setting: 'enabled',
    },
    ...{
      wiki_access_level: 'enabled',
      math_rendering_limits_enabled: true,
      file_template_project_id: 1,
      ...mails,
    },
  };
}

function projectRecord({ hasOldNames }: V4Version, id: number, path: string): V4Container['record'] {
  const slug = path.split('/').at(-1);
  const access = hasOldNames
    ? {
        issues_enabled: true,
        wiki_enabled: true,
        snippets_enabled: true,
        jobs_enabled: true,
        tag_list: ['rust'],
        public_jobs: true,
      }
    : {
        issues_access_level: 'enabled',
        wiki_access_level: 'private',
        pages_access_level: 'private',
        topics: ['rust'],
      };
  return {
    ...{
      id,
      name: `Project ${slug}`,
      path: slug,
      path_with_namespace: path,
      description: 'The web',
      default_branch: 'main',
    },
    ...{
      visibility: 'internal',
      created_at: CREATED,
      archived: false,
      empty_repo: false,
      merge_method: 'rebase_merge',
    },
    ...{
      only_allow_merge_if_pipeline_succeeds: true,
      squash_option: 'default_on',
      suggestion_commit_message: null,
    },
    ...{
      remove_source_branch_after_merge: true,
      ci_default_git_depth: 20,
      ci_config_path: '',
      build_timeout: 7_200,
    },
    ...{
      namespace: { id: 7, kind: 'group', full_path: 'acme' },
      forked_from_project: null,
      mirror: true,
      import_url: 'https://x',
    },
    ...{
      container_expiration_policy: { cadence: '1d' },
      runners_token: 'secret',
      service_desk_enabled: false,
      ...access,
    },
  };
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Attributes that exist only on v4 servers and are never requested. */
const OTHERS: V4Tree = { boards: [{ name: 'Board' }], uploads: [], badges: [], namespace_settings: [{}] };
const OTHERS_OF_PROJECT: V4Tree = {
  ...OTHERS,
  auto_devops: [{ enabled: true }],
  releases: [],
  external_pull_requests: [],
};

const numbered = ({ hasIds }: V4Version, tree: V4Tree): V4Tree =>
  hasIds
    ? Object.fromEntries(
        Object.entries(tree).map(([name, records]) => [
          name,
          records.map((one, at) => ({ id: 1_000 + at, ...one })),
        ]),
      )
    : tree;

/** A group with a project, and a subgroup with a project without pushes. */
export function v4Content(version: V4Version, { root, commits }: V4Repositories, url: string): V4Content {
  const group = (id: number, path: string, tree: V4Tree): V4Container => ({
    ...{
      kind: 'groups',
      path,
      record: groupRecord(version, id, path),
      members: [],
      subgroups: [],
      projects: [],
    },
    tree: numbered(version, {
      self: [{ id, visibility_level: 20 }],
      ...OTHERS,
      labels: [],
      milestones: [],
      ...tree,
    }),
  });
  const project = (id: number, path: string, tree: V4Tree): V4Container => ({
    ...{
      kind: 'projects',
      path,
      record: projectRecord(version, id, path),
      members: [],
      subgroups: [],
      projects: [],
    },
    tree: numbered(version, {
      self: [{ id, visibility_level: 10 }],
      ...OTHERS_OF_PROJECT,
      ...EMPTY,
      ...tree,
    }),
  });
  const tools = group(8, 'acme/tools', {
    labels: ['a', 'b', 'c'].map((title) => ({ ...TEAM, title, group_id: 8 })),
    ...(version.hasEpics ? { epics: [] } : {}),
  });
  const empty = project(42, 'acme/tools/empty', {});
  const plans = project(43, 'acme/tools/plans', { labels: [BUG] });
  const withoutCode = { ...plans, record: { ...plans.record, repository_access_level: 'disabled' } };
  const web = project(41, 'acme/web', {
    ...{
      labels: [BUG],
      milestones: [SPRINT],
      issues: issues(version, url),
      snippets: snippets(version),
    },
    ...{ merge_requests: mergeRequests(version, commits), ci_pipelines: pipelines(version, commits) },
    ...{ protected_branches: protectedBranches, protected_tags: protectedTags },
  });
  const acme = group(7, 'acme', {
    ...{ labels: [TEAM], milestones: [YEAR] },
    ...(version.hasEpics ? { epics: epics(version) } : {}),
  });
  const containers = [
    {
      ...acme,
      picture: PNG,
      subgroups: [tools.record],
      projects: [web.record],
      members: [member(90, 40), member(91, 30), member(404, 50)],
    },
    { ...tools, broken: 'labels', projects: [empty.record, plans.record] },
    { ...web, picture: PNG, members: [member(90, 50)], snippets: snippetRecords },
    empty,
    withoutCode,
  ];
  return { containers, users: usersOf(version), repositories: root, refusedRepositories: [plans.path] };
}

const EMPTY: V4Tree = {
  ...{ labels: [], milestones: [], issues: [], snippets: [], merge_requests: [] },
  ...{ ci_pipelines: [], protected_branches: [], protected_tags: [] },
};
