import { note } from './v4-planning.js';
import type { V4Version } from './v4-version.js';

const TIMES = { created_at: '2020-03-04T05:06:07.890Z', updated_at: '2020-04-05T06:07:08.901Z' };

/** Snippets, whose repositories are fetched separately. */
export const snippets = (version: V4Version): readonly object[] => [
  {
    ...{
      title: 'Snip',
      description: 'Short',
      visibility_level: 0,
      author_id: 91,
      project_id: 41,
      ...TIMES,
      type: 'ProjectSnippet',
    },
    ...{
      file_name: 'run.sh',
      content: 'echo 1\n',
      secret: false,
      award_emoji: [{ name: 'tada', user_id: 90 }],
    },
    notes: [note(version, { noteable_type: 'Snippet', note: 'Nice' })],
  },
  {
    ...{ title: 'Snip', description: null, visibility_level: 20, author_id: 90, project_id: 41, ...TIMES },
    created_at: '2020-03-04T05:07:07.890Z',
    ...{ file_name: '', content: 'nameless', notes: [] },
  },
];

/** Snippets as lists show them, with the URLs of their repositories, which the second does not have. */
export const snippetRecords: readonly object[] = [
  {
    ...TIMES,
    id: 31,
    title: 'Snip',
    created_at: '2020-03-04T05:06:07.890Z',
    http_url_to_repo: 'x/acme/web/snippets/31.git',
  },
  {
    id: 32,
    title: 'Snip',
    created_at: '2020-03-04T05:07:07.890Z',
    http_url_to_repo: 'x/acme/web/snippets/32.git',
  },
  { id: 33, title: 'Made since', created_at: '2024-03-04T05:07:07.890Z' },
];

const level = (access_level: number): object => ({ access_level, user_id: null, group_id: null, ...TIMES });

/** Protected branches. */
export const protectedBranches: readonly object[] = [
  {
    ...{
      name: 'main',
      project_id: 41,
      ...TIMES,
      code_owner_approval_required: false,
      allow_force_push: false,
    },
    ...{ merge_access_levels: [level(30)], push_access_levels: [level(0)], unprotect_access_levels: [] },
  },
  {
    ...{
      name: 'release/*',
      project_id: 41,
      ...TIMES,
      code_owner_approval_required: true,
      allow_force_push: true,
    },
    ...{ merge_access_levels: [level(40), { ...level(40), group_id: 55 }] },
    ...{
      push_access_levels: [level(40), { ...level(40), user_id: 90 }],
      unprotect_access_levels: [level(40)],
    },
  },
];

/** Protected tags. */
export const protectedTags: readonly object[] = [
  { name: 'v*', project_id: 41, ...TIMES, create_access_levels: [{ ...level(40), deploy_key_id: null }] },
];
