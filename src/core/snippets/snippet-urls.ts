import type { Links } from '#kernel/http/links.js';

/** URLs of a snippet. */
export interface SnippetUrls {
  readonly web_url: string;
  readonly raw_url: string;
  readonly ssh_url_to_repo: null;
  readonly http_url_to_repo: string;
}

/** Returns the URLs of a snippet of the project with this path, or of a personal one, and of its files. */
export function snippetUrls(
  id: number,
  projectId: number | null,
  fullPath: string | null,
  links: Links,
): { urls: SnippetUrls; rawUrlOf: (ref: string, path: string) => string } {
  const base = fullPath === null ? links.base : links.project(fullPath);
  const api = links.api(`${projectId === null ? '' : `/projects/${projectId}`}/snippets/${id}`);
  return {
    urls: {
      web_url: `${base}/-/snippets/${id}`,
      raw_url: `${api}/raw`,
      ssh_url_to_repo: null,
      http_url_to_repo: `${base}/snippets/${id}.git`,
    },
    rawUrlOf: (ref, path) => `${api}/files/${encodeURIComponent(ref)}/${encodeURIComponent(path)}/raw`,
  };
}
