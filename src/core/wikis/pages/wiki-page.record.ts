import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { WIKI_FORMATS, type WikiFormat } from './wiki-formats.js';
import { titleOfSlug } from './wiki-title.js';

/** A page in lists; with its content if requested. */
export class WikiPageListRecord {
  @OneOf(WIKI_FORMATS)
  format!: WikiFormat;

  @Text({ example: 'guides/first-steps', description: 'Path of the page, without extension' })
  slug!: string;

  @Text({ example: 'first steps' })
  title!: string;

  @Text({ example: 'UTF-8' })
  encoding!: string;

  @Text({ optional: true, blank: true })
  content?: string;
}

/** A page of a wiki. */
export class WikiPageRecord extends WikiPageListRecord {
  @Text({ description: 'As written, or as HTML with render_html' })
  declare content: string;
}

/** A page as read; without its content unless requested. */
export interface WikiPage {
  readonly slug: string;
  readonly format: WikiFormat;
  readonly content?: string;
}

/** Presents a page of a list. */
export const presentListedPage = ({ slug, format, content }: WikiPage): WikiPageListRecord => ({
  format,
  slug,
  title: titleOfSlug(slug),
  encoding: 'UTF-8',
  ...(content === undefined ? {} : { content }),
});

/** Presents a page with its content. */
export const presentPage = (page: WikiPage & { readonly content: string }): WikiPageRecord =>
  Object.assign(presentListedPage(page), { content: page.content });

/** URL and Markdown link of an attachment. */
class WikiLinkRecord {
  @Text({ example: 'uploads/6a061c4cf9f1c28cb22c384b4b8d4e3c/dk.png' })
  url!: string;

  @Text({ example: '![dk](uploads/6a061c4cf9f1c28cb22c384b4b8d4e3c/dk.png)' })
  markdown!: string;
}

/** A file added to a wiki, to which pages can link. */
export class WikiAttachmentRecord {
  @Text({ example: 'dk.png' })
  file_name!: string;

  @Text({ example: 'uploads/6a061c4cf9f1c28cb22c384b4b8d4e3c/dk.png' })
  file_path!: string;

  @Text({ example: 'main' })
  branch!: string;

  @Nested(() => WikiLinkRecord)
  link!: WikiLinkRecord;
}
