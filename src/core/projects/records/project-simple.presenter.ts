import type { Values } from '#kernel/http/fields/derived-fields.js';
import type { Links } from '#kernel/http/links.js';
import { isoTime } from '#kernel/http/times.js';
import {
  presentNamespaceBasic,
  type NamespaceBasicRecord,
} from '#core/groups/namespaces/namespace.record.js';
import type { ProjectSimpleRecord } from './project-simple.record.js';
import type { ProjectSimpleRow } from '../project.row.js';

/** Returns the HTTP URL of a repository. */
export const repositoryUrl = (fullPath: string, links: Links): string => `${links.project(fullPath)}.git`;

/** Presents the simple form. */
export function presentSimpleProject(row: ProjectSimpleRow, links: Links): Values<ProjectSimpleRecord> {
  const topics = [...row.topics];
  const web = links.project(row.full_path);
  return {
    id: row.id,
    description: row.description,
    name: row.name,
    name_with_namespace: row.full_name,
    path: row.path,
    path_with_namespace: row.full_path,
    created_at: isoTime(row.created_at),
    default_branch: row.default_branch,
    tag_list: topics,
    topics,
    ssh_url_to_repo: null,
    http_url_to_repo: repositoryUrl(row.full_path, links),
    web_url: web,
    readme_url:
      row.readme_path === null ? null : `${web}/-/blob/${row.default_branch ?? 'HEAD'}/${row.readme_path}`,
    forks_count: row.forks_count,
    avatar_url: links.avatar('project', row.id, row.avatar),
    star_count: row.star_count,
    last_activity_at: isoTime(row.last_activity_at),
    namespace: presentNamespace(row, links),
  };
}

const presentNamespace = (row: ProjectSimpleRow, links: Links): NamespaceBasicRecord =>
  presentNamespaceBasic(
    {
      id: row.ns_id,
      type: row.ns_type,
      name: row.ns_name,
      path: row.ns_path,
      full_path: row.ns_full_path,
      parent_id: row.ns_parent_id,
      avatar: row.ns_avatar,
      owner_id: row.ns_owner_id,
    },
    links,
  );
