import type { FieldOptions } from '#kernel/http/fields/field-spec.js';
import { Anything, Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { WIKI_FORMATS, type WikiFormat } from './pages/wiki-formats.js';
import { MAX_PAGE_BYTES } from './pages/wiki-tree.js';

const Content = (options: FieldOptions = {}): PropertyDecorator =>
  Text({ ...options, blank: true, maxLength: MAX_PAGE_BYTES });

const Title = (options: FieldOptions = {}): PropertyDecorator =>
  Text({
    ...options,
    blank: true,
    example: 'guides/first steps',
    description: 'In the slug, spaces become dashes and slashes create folders',
  });

const Slug = (): PropertyDecorator =>
  Text({ maxLength: 4096, example: 'guides%2Ffirst-steps', description: 'URL-encoded' });

/** Parameters of the list of pages. */
export class ListWikiPagesParams {
  @Flag({ optional: true, description: 'Default false' })
  with_content?: boolean;
}

/** Path parameters of a page. */
export class FindWikiPageParams {
  @Slug()
  slug!: string;

  @Text({ optional: true, maxLength: 40, description: 'SHA of the commit to read; default: the newest' })
  version?: string;

  @Flag({ optional: true, description: 'Content as HTML; default false' })
  render_html?: boolean;
}

/** Parameters of a new page. */
export class CreateWikiPageParams {
  @Title()
  title!: string;

  @Content()
  content!: string;

  @OneOf(WIKI_FORMATS, { optional: true, description: 'Default markdown' })
  format?: WikiFormat;
}

/** Parameters of an update of a page; at least one besides the slug. */
export class UpdateWikiPageParams {
  @Slug()
  slug!: string;

  @Content({ optional: true })
  content?: string;

  @Title({ optional: true })
  title?: string;

  @OneOf(WIKI_FORMATS, { optional: true })
  format?: WikiFormat;
}

/** Parameters of a removal of a page. */
export class NameWikiPageParams {
  @Slug()
  slug!: string;
}

/** Parameters of an attachment. */
export class AttachToWikiParams {
  /** Only for the API documentation: the file is read as a stream. */
  @Anything({ optional: true, description: 'The file, in a multipart body; required' })
  file?: unknown;

  @Text({ optional: true, maxLength: 1024, description: 'Default: the branch of the pages' })
  branch?: string;
}
