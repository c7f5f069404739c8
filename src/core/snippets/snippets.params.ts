import { ArrayNotEmpty } from 'class-validator';
import { ExclusiveWith } from '#kernel/http/fields/exclusive.js';
import { Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { AtOrAfter, AtOrBefore } from '#kernel/http/fields/time-filters.js';
import { VISIBILITIES, type Visibility } from '#core/groups/namespaces/namespace.entity.js';
import { MAX_FILES, MAX_PATH } from './files/snippet-limits.js';
import { FileList } from './files/file-list.js';

/** Limit of a text in JSON, as of request bodies. */
const MAX_CONTENT = 10 * 1024 * 1024;

/** Limit of changes, above what a snippet's files can need. */
const MAX_ACTIONS = 100;

/** Actions on a file. */
export const FILE_ACTIONS = ['create', 'update', 'delete', 'move'] as const;

const Title = (optional: boolean): PropertyDecorator =>
  Text({ optional, blank: true, maxLength: 255, example: 'How to deploy' });

const Description = (): PropertyDecorator => Text({ optional: true, nullable: true, maxLength: 1_048_576 });

const Path = (options: { optional?: boolean; requiredWith?: string } = {}): PropertyDecorator =>
  Text({
    ...options,
    blank: false,
    maxLength: MAX_PATH,
    ...(options.optional ? {} : { example: 'deploy.sh' }),
  });

const Content = (options: { optional?: boolean; requiredWith?: string } = {}): PropertyDecorator =>
  Text({ ...options, blank: false, maxLength: MAX_CONTENT });

/** Filters of lists of snippets. */
export class ListSnippetsParams {
  @AtOrAfter()
  created_after?: Date;

  @AtOrBefore()
  created_before?: Date;
}

/** Filters of the list of all visible snippets. */
export class ListAllSnippetsParams extends ListSnippetsParams {
  @Text({
    optional: true,
    blank: false,
    maxLength: 255,
    description: 'Administrators only; ignored for other callers',
  })
  repository_storage?: string;
}

/** Path parameters of a snippet. */
export class FindSnippetParams {
  @Id({ min: 0 })
  snippet_id!: number;
}

/** Path parameters of a file in a version of a snippet. */
export class FindSnippetFileParams extends FindSnippetParams {
  @Text({ maxLength: 1024, description: 'Branch or commit', example: 'main' })
  ref!: string;

  @Text({ maxLength: MAX_PATH, description: 'URL-encoded', example: 'scripts%2Fdeploy.sh' })
  file_path!: string;
}

/** A file of a new snippet. */
export class NewSnippetFile {
  @Path()
  file_path!: string;

  @Content()
  content!: string;
}

/** Parameters of a new snippet: several files, or one as `file_name` and `content`. */
export class CreateSnippetParams {
  @Title(false)
  title!: string;

  @ExclusiveWith(['files'])
  @Path({ optional: true, requiredWith: 'content' })
  file_name?: string;

  @ExclusiveWith(['files'])
  @Content({ optional: true, requiredWith: 'file_name' })
  content?: string;

  @ArrayNotEmpty({ message: 'is empty' })
  @FileList(() => NewSnippetFile, { unless: 'file_name', maxItems: MAX_FILES })
  files?: NewSnippetFile[];

  @Description()
  description?: string | null;

  @OneOf(VISIBILITIES, { optional: true, description: 'Default: the setting default_snippet_visibility' })
  visibility?: Visibility;
}

/** An action on a file. */
export class SnippetFileAction {
  @OneOf(FILE_ACTIONS)
  action!: (typeof FILE_ACTIONS)[number];

  @Path()
  file_path!: string;

  @Text({ optional: true, maxLength: MAX_PATH, description: 'For move: where it was' })
  previous_path?: string;

  @Text({
    optional: true,
    maxLength: MAX_CONTENT,
    description: 'For create and update; for move, if it also changes',
  })
  content?: string;
}

/** Parameters of an update of a snippet. */
export class UpdateSnippetParams extends FindSnippetParams {
  @Title(true)
  title?: string;

  @ExclusiveWith(['files'])
  @Path({ optional: true })
  file_name?: string;

  @ExclusiveWith(['files'])
  @Content({ optional: true })
  content?: string;

  @ArrayNotEmpty({ message: 'is empty' })
  @FileList(() => SnippetFileAction, { optional: true, maxItems: MAX_ACTIONS })
  files?: SnippetFileAction[];

  @Description()
  description?: string | null;

  @OneOf(VISIBILITIES, { optional: true })
  visibility?: Visibility;
}
