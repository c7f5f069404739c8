/** A marker in the names and texts of objects that callers without a role must not see. */
export const WORD = 'hiddenword';

/** A private address. */
const ADDRESS = 'hidden@walk.test';

/** A fact that other users must not know: a state with it, and one without. */
export interface HiddenFact {
  readonly name: string;
  readonly there: string;
  readonly gone: string;
  /** Whether members of the project can see it, including guests. */
  readonly isOfMembers?: boolean;
}

/**
 * Objects of the facts, in addition to the data of the walks: its group and its project are public, its
 * environments are for members; 310 is a public project whose code is for members, 104 a user with a private
 * profile.
 */
export const OPEN_WORLD = `
  update namespaces set visibility = 'public' where id = 200;
  update projects set visibility = 'public', settings = '{"environments_access_level": "private"}' where id = 300;
  insert into users (id, username, name, email, confirmed_at, private_profile) values
    (104, 'recluse', 'Recluse', 'recluse@walk.test', now(), true);
  insert into projects (id, namespace_id, name, path, full_path, full_name, visibility, settings) values
    (310, 200, 'code', 'code', 'here/code', 'here/code', 'public', '{"repository_access_level": "private"}');
  insert into routes (path, source_type, source_id) values ('here/code', 'Project', 310);
  insert into snippets (id, author_id, title, visibility, file_paths) values (910, 103, 's', 'public', '{a.txt}');
  insert into members (source_type, source_id, user_id, access_level) values ('Project', 300, 104, 10);`;

const both = (there: string, gone: string): Pick<HiddenFact, 'there' | 'gone'> => ({ there, gone });

/** One fact for each value that a filter or order of a list reads. */
export const HIDDEN_FACTS: readonly HiddenFact[] = [
  {
    name: 'a primary address',
    ...both(
      `update users set email = '${ADDRESS}' where id = 103`,
      `update users set email = 'target@walk.test' where id = 103`,
    ),
  },
  {
    name: 'a further address',
    ...both(
      `insert into user_emails (user_id, email, confirmed_at) values (103, 'further-${ADDRESS}', now())`,
      `delete from user_emails where email = 'further-${ADDRESS}'`,
    ),
  },
  {
    name: 'the public address of a private profile',
    ...both(
      `update users set public_email = 'shown-${ADDRESS}' where id = 104`,
      `update users set public_email = '' where id = 104`,
    ),
  },
  {
    name: 'how somebody signs in, and with which rights',
    ...both(
      `update users set two_factor_enabled = true, admin = true, note = '${WORD}', sign_in_count = 9,
        identities = '[{"provider": "${WORD}", "extern_uid": "${WORD}"}]' where id = 104`,
      `update users set two_factor_enabled = false, admin = false, note = null, sign_in_count = 0, identities = '[]' where id = 104`,
    ),
  },
  {
    name: 'a membership of a private project',
    ...both(
      `insert into members (id, source_type, source_id, user_id, access_level) values (2400, 'Project', 301, 1, 30)`,
      'delete from members where id = 2400',
    ),
  },
  {
    name: 'a confidential issue',
    ...both(
      `insert into issues (id, project_id, iid, author_id, title, confidential, weight, due_date, milestone_id, health_status)
         values (2100, 300, 2100, 103, '${WORD}', true, 77, current_date, 1610, 'at_risk');
       insert into issue_labels (issue_id, label_id) values (2100, 1600);
       insert into issue_assignees (issue_id, user_id) values (2100, 103);
       insert into epic_issues (id, epic_id, issue_id, relative_position) values (2180, 1670, 2100, 1);
       insert into award_emoji (id, name, user_id, awardable_type, awardable_id) values (2160, 'tada', 103, 'Issue', 2100)`,
      `delete from award_emoji where id = 2160; delete from issues where id = 2100`,
    ),
  },
  {
    name: 'an internal note',
    ...both(
      `insert into notes (id, noteable_type, noteable_id, project_id, author_id, discussion_id, body, internal)
         values (2150, 'Issue', 1620, 300, 104, 'd2150', '${WORD}', true);
       update issues set updated_at = created_at where id = 1620;
       insert into award_emoji (id, name, user_id, awardable_type, awardable_id) values (2161, 'tada', 103, 'Note', 2150)`,
      'delete from award_emoji where id = 2161; delete from notes where id = 2150; update issues set updated_at = created_at where id = 1620',
    ),
  },
  {
    name: 'a confidential epic, and what is in it',
    ...both(
      `insert into epics (id, group_id, iid, author_id, title, confidential) values (2170, 200, 2170, 104, '${WORD}', true);
       insert into epic_issues (id, epic_id, issue_id, relative_position) values (2181, 2170, 1622, 0)`,
      'delete from epics where id = 2170',
    ),
  },
  {
    name: 'a private group below, with all that is in it',
    ...both(
      `insert into namespaces (id, type, name, path, full_path, full_name, parent_id, traversal_ids, visibility) values
         (220, 'Group', '${WORD}', '${WORD}', 'here/${WORD}', 'here/${WORD}', 200, '{200,220}', 'private');
       insert into projects (id, namespace_id, name, path, full_path, full_name) values
         (320, 220, '${WORD}', '${WORD}', 'here/${WORD}/${WORD}', 'here/${WORD}/${WORD}');
       insert into members (id, source_type, source_id, user_id, access_level) values (2401, 'Namespace', 220, 104, 30);
       insert into labels (id, project_id, group_id, title, color) values (2120, 320, null, '${WORD}', '#fff'), (2121, null, 220, '${WORD}', '#fff');
       insert into milestones (id, project_id, group_id, iid, title) values (2130, 320, null, 1, '${WORD}'), (2131, null, 220, 1, '${WORD}');
       insert into issues (id, project_id, iid, author_id, title, milestone_id) values (2101, 320, 1, 103, '${WORD}', 2130);
       insert into issue_labels (issue_id, label_id) values (2101, 2120), (2101, 1602);
       insert into epics (id, group_id, iid, author_id, title) values (2171, 220, 1, 104, '${WORD}');
       insert into epic_issues (id, epic_id, issue_id, relative_position) values (2182, 2171, 2101, 0);
       insert into merge_requests (id, project_id, iid, author_id, title, source_project_id, source_branch, target_branch, head_sha, start_sha)
         values (2110, 320, 1, 103, '${WORD}', 320, 'b', 'main', repeat('b', 40), repeat('a', 40));
       insert into merge_request_labels (merge_request_id, label_id) values (2110, 1602)`,
      `delete from projects where id = 320; delete from members where id = 2401; delete from namespaces where id = 220`,
    ),
  },
  {
    name: 'languages, sizes and storage of code that is for members',
    ...both(
      `update projects set languages = '{"${WORD}": 100}', repository_storage = '${WORD}' where id = 310;
       insert into project_statistics (project_id, repository_size, packages_size) values (310, 9, 9)
         on conflict (project_id) do update set repository_size = 9, packages_size = 9`,
      `update projects set languages = '{}', repository_storage = 'default' where id = 310;
       update project_statistics set repository_size = 0, packages_size = 0 where project_id = 310`,
    ),
  },
  {
    name: 'the storage of a snippet',
    ...both(
      `update snippets set repository_storage = '${WORD}' where id = 910`,
      `update snippets set repository_storage = 'default' where id = 910`,
    ),
  },
  {
    name: 'a private snippet',
    ...both(
      `insert into snippets (id, author_id, title, visibility, file_paths) values (911, 104, '${WORD}', 'private', '{a.txt}')`,
      'delete from snippets where id = 911',
    ),
  },
  {
    name: 'the star of a private profile',
    ...both(
      'insert into project_stars (project_id, user_id) values (301, 104)',
      'delete from project_stars where user_id = 104',
    ),
  },
  {
    name: 'members of a private group that is invited',
    ...both(
      `insert into namespaces (id, type, name, path, full_path, full_name, traversal_ids, visibility) values
         (221, 'Group', '${WORD}', 'invited', 'invited', '${WORD}', '{221}', 'private');
       insert into members (id, source_type, source_id, user_id, access_level) values (2402, 'Namespace', 221, 1, 30);
       insert into group_links (source_type, source_id, group_id, access_level) values ('Project', 300, 221, 30), ('Namespace', 200, 221, 30)`,
      'delete from members where id = 2402; delete from namespaces where id = 221',
    ),
  },
  {
    name: 'a deployment to an environment that is for members',
    isOfMembers: true,
    ...both(
      `insert into environments (id, project_id, name, slug, tier) values (520, 300, '${WORD}', '${WORD}', 'other');
       insert into deployments (id, project_id, environment_id, iid, user_id, ref, sha, tag, status, finished_at) values
         (620, 300, 520, 9620, 103, 'main', repeat('a', 40), false, 'success', now());
       insert into deployment_merge_requests (deployment_id, merge_request_id, environment_id) values (620, 1630, 520)`,
      'delete from environments where id = 520',
    ),
  },
  {
    name: 'a personal token',
    ...both(
      `insert into personal_access_tokens (id, user_id, name, digest, scopes) values (120, 103, '${WORD}', '\\x2120', '{api}')`,
      'delete from personal_access_tokens where id = 120',
    ),
  },
];

/** Values of filters that are names, not members of a closed list. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  assignee_id: ['103', '104', 'Any', 'None'],
  author_id: ['103', '104'],
  author_username: ['target', 'recluse'],
  assignee_username: ['target', 'recluse'],
  approved_by_ids: ['103', 'Any', 'None'],
  approved_by_usernames: ['target', 'Any'],
  approver_ids: ['103', 'Any', 'None'],
  epic_id: ['1670', '2170', '2171', 'Any', 'None'],
  extern_uid: [`${WORD}&provider=${WORD}`],
  health_status: ['at_risk', 'Any', 'None'],
  iids: ['2100', '2170', '1'],
  labels: [WORD, 'l', 'g', 'Any', 'None'],
  milestone: [WORD, 'm', 'g', 'Any', 'None'],
  my_reaction_emoji: ['tada', 'Any', 'None'],
  not: [
    'epic_id]=2170',
    'epic_id]=2171',
    `labels]=${WORD}`,
    `milestone]=${WORD}`,
    'assignee_id]=103',
    'author_id]=104',
    'weight]=77',
  ],
  provider: [`${WORD}&extern_uid=${WORD}`],
  skip_groups: ['220', '221'],
  skip_users: ['1', '104'],
  user_id: ['103'],
  user_ids: ['1', '103', '104'],
  weight: ['77', 'Any', 'None'],
};

const TIMES = ['2000-01-01', '2999-01-01'];
const TEXTS = [WORD, ADDRESS, `further-${ADDRESS}`, `shown-${ADDRESS}`];

/** A parameter as the OpenAPI document describes it. */
export interface Described {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: {
    readonly type?: string | readonly string[];
    readonly format?: string;
    readonly enum?: readonly unknown[];
    readonly items?: Described['schema'];
  };
}

/** Parts of queries for hidden facts: all words of a closed list, and those of the facts. */
export function probesOf({ name, schema }: Described): string[] {
  const bare = name.replace('[]', '');
  const named = NAMED[bare];
  if (bare === 'not') return (named ?? []).map((probe) => `not[${probe}`);
  return (named ?? valuesOf(schema)).map((value) => `${name}=${value}`);
}

function valuesOf(schema: Described['schema'] = {}): readonly string[] {
  if (schema.items) return valuesOf(schema.items);
  const type = String(schema.type);
  if (schema.enum) return schema.enum.filter((one) => one !== '' && one !== null).map(String);
  if (type.includes('boolean')) return ['true', 'false'];
  if (schema.format?.startsWith('date')) return TIMES;
  return /integer|number/.test(type) ? ['103', '2100'] : TEXTS;
}
