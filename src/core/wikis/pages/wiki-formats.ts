/** Formats of pages with their extensions; new pages get the first. */
const EXTENSIONS = {
  markdown: ['md', 'markdown', 'mdown', 'mkd', 'mkdn'],
  rdoc: ['rdoc'],
  asciidoc: ['asciidoc', 'adoc'],
  org: ['org'],
} as const;

/** Format of a page. */
export type WikiFormat = keyof typeof EXTENSIONS;

/** All formats, the default first. */
export const WIKI_FORMATS = Object.keys(EXTENSIONS) as WikiFormat[];

const FORMATS = new Map<string, WikiFormat>(
  WIKI_FORMATS.flatMap((format) => EXTENSIONS[format].map((extension) => [extension, format] as const)),
);

/** Slug and format of a page. */
export interface PageName {
  readonly slug: string;
  readonly format: WikiFormat;
}

/** Limit of the path of a page, as of slugs in requests. */
const MAX_PATH = 4096;

/**
 * Returns the page of a file path, or null: too long ones, and names with control characters or invalid UTF-8,
 * are not pages.
 */
export function pageNameOf(path: string): PageName | null {
  if (path.length > MAX_PATH) return null;
  const found = /^((?:.*\/)?[^/]+)\.(\w+)$/.exec(path);
  const format = FORMATS.get(found?.[2]?.toLowerCase() ?? '');
  if (!found || !format || /[\p{Cc}\ufffd]/u.test(path)) return null;
  return { slug: found[1] as string, format };
}

/** Returns the path of a new page. */
export const pagePath = (slug: string, format: WikiFormat): string => `${slug}.${EXTENSIONS[format][0]}`;

/** Returns all possible paths of a page, the default first. */
export const pagePaths = (slug: string): string[] =>
  [...FORMATS.keys()].map((extension) => `${slug}.${extension}`);
