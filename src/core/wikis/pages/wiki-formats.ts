/** Formats that a page can be written in, each with the extension that new pages get first. */
const EXTENSIONS = {
  markdown: ['md', 'markdown', 'mdown', 'mkd', 'mkdn'],
  rdoc: ['rdoc'],
  asciidoc: ['asciidoc', 'adoc'],
  org: ['org'],
} as const;

/** How the content of a page is marked up. */
export type WikiFormat = keyof typeof EXTENSIONS;

/** All formats, the usual one first. */
export const WIKI_FORMATS = Object.keys(EXTENSIONS) as WikiFormat[];

const FORMATS = new Map<string, WikiFormat>(
  WIKI_FORMATS.flatMap((format) => EXTENSIONS[format].map((extension) => [extension, format] as const)),
);

/** The slug of a page and how it is written. */
export interface PageName {
  readonly slug: string;
  readonly format: WikiFormat;
}

/** The page that a file of this path would be, or null: control characters and what is no UTF-8 name no page. */
export function pageNameOf(path: string): PageName | null {
  const found = /^((?:.*\/)?[^/]+)\.(\w+)$/.exec(path);
  const format = FORMATS.get(found?.[2]?.toLowerCase() ?? '');
  if (!found || !format || /[\p{Cc}\ufffd]/u.test(path)) return null;
  return { slug: found[1] as string, format };
}

/** The path of a new page. */
export const pagePath = (slug: string, format: WikiFormat): string => `${slug}.${EXTENSIONS[format][0]}`;

/** Every path at which a page with this slug can lie, the usual one first. */
export const pagePaths = (slug: string): string[] =>
  [...FORMATS.keys()].map((extension) => `${slug}.${extension}`);
