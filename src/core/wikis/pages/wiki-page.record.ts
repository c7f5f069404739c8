import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { WIKI_FORMATS, type WikiFormat } from './wiki-formats.js';
import { titleOfSlug } from './wiki-title.js';

/** A page in lists: with its content where that is asked for. */
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

/** A page as it is read: content is missing where nobody asked for it. */
export interface WikiPage {
  readonly slug: string;
  readonly format: WikiFormat;
  readonly content?: string;
}

/** The page of a list. */
export const presentListedPage = ({ slug, format, content }: WikiPage): WikiPageListRecord => ({
  format,
  slug,
  title: titleOfSlug(slug),
  encoding: 'UTF-8',
  ...(content === undefined ? {} : { content }),
});

/** The page with its content. */
export const presentPage = (page: WikiPage & { readonly content: string }): WikiPageRecord =>
  Object.assign(presentListedPage(page), { content: page.content });

/** Where an attachment can be reached. */
class WikiLinkRecord {
  @Text({ example: 'uploads/6a061c4cf9f1c28cb22c384b4b8d4e3c/dk.png' })
  url!: string;

  @Text({ example: '![dk](uploads/6a061c4cf9f1c28cb22c384b4b8d4e3c/dk.png)' })
  markdown!: string;
}

/** A file that was put into a wiki for its pages to link to. */
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
