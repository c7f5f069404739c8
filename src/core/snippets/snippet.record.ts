import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import { VISIBILITIES, type Visibility } from '#core/groups/namespaces/namespace.entity.js';
import { presentUserIn, UserBasicRecord } from '#core/users/records/user-basic.record.js';
import { snippetUrls } from './snippet-urls.js';
import type { SnippetRow } from './snippet.row.js';

/** A file of a snippet. */
export class SnippetFileRecord {
  @Text({ example: 'deploy.sh' })
  path!: string;

  @Text()
  raw_url!: string;
}

/** A snippet; personal or of a project. */
export class SnippetRecord {
  @Id()
  id!: number;

  @Text()
  title!: string;

  @Text({ nullable: true })
  description!: string | null;

  @OneOf(VISIBILITIES)
  visibility!: Visibility;

  @Nested(() => UserBasicRecord)
  author!: UserBasicRecord;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @Id({ nullable: true, description: 'Null for a personal snippet' })
  project_id!: number | null;

  @Text({ example: 'https://forge.example.com/-/snippets/1' })
  web_url!: string;

  @Text({ example: 'https://forge.example.com/api/v4/snippets/1/raw' })
  raw_url!: string;

  @Text({ nullable: true, description: 'Always null: git is served over HTTP' })
  ssh_url_to_repo!: null;

  @Text({ example: 'https://forge.example.com/snippets/1.git' })
  http_url_to_repo!: string;

  @Text({ nullable: true, description: 'The first file', example: 'deploy.sh' })
  file_name!: string | null;

  @ListOf(() => SnippetFileRecord)
  files!: SnippetFileRecord[];

  @Text({ optional: true, description: 'For administrators only' })
  repository_storage?: string;

  @Flag()
  imported!: boolean;

  @Text({ example: 'none' })
  imported_from!: string;
}

/** Presents a snippet; administrators also see its storage. */
export function presentSnippet(row: SnippetRow, isAdmin: boolean, links: Links): SnippetRecord {
  const { urls, rawUrlOf } = snippetUrls(row.id, row.project_id, row.full_path, links);
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    visibility: row.visibility,
    author: presentUserIn(row, 'u_', links),
    created_at: row.created_at,
    updated_at: row.updated_at,
    project_id: row.project_id,
    ...urls,
    file_name: row.file_paths[0] ?? null,
    files: row.file_paths.map((path) => ({ path, raw_url: rawUrlOf(row.default_branch, path) })),
    ...(isAdmin ? { repository_storage: row.repository_storage } : {}),
    imported: false,
    imported_from: 'none',
  };
}
