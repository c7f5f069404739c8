import type { Links } from '#kernel/http/links.js';

/** Where a snippet is found. */
export interface SnippetUrls {
  readonly web_url: string;
  readonly raw_url: string;
  readonly ssh_url_to_repo: null;
  readonly http_url_to_repo: string;
}

/** URLs of a snippet, of a project with this path or of nobody's but its author's; and of its files. */
export function snippetUrls(
  id: number,
  projectId: number | null,
  fullPath: string | null,
  links: Links,
): { urls: SnippetUrls; rawUrlOf: (ref: string, path: string) => string } {
  const place = fullPath === null ? links.base : links.project(fullPath);
  const api = links.api(`${projectId === null ? '' : `/projects/${projectId}`}/snippets/${id}`);
  return {
    urls: {
      web_url: `${place}/-/snippets/${id}`,
      raw_url: `${api}/raw`,
      ssh_url_to_repo: null,
      http_url_to_repo: `${place}/snippets/${id}.git`,
    },
    rawUrlOf: (ref, path) => `${api}/files/${encodeURIComponent(ref)}/${encodeURIComponent(path)}/raw`,
  };
}
