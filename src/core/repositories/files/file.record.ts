import { Count, Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { List, Nested } from '#kernel/http/fields/composite-fields.js';

/** A file with its content. */
export class FileRecord {
  @Text()
  file_name!: string;

  @Text()
  file_path!: string;

  @Count({ description: 'Bytes' })
  size!: number;

  @OneOf(['base64'])
  encoding!: 'base64';

  @Text({ description: 'Digest of the content' })
  content_sha256!: string;

  @Text({ description: 'As requested' })
  ref!: string;

  @Text()
  blob_id!: string;

  @Text({ description: 'The commit that the ref leads to' })
  commit_id!: string;

  @Text({ description: 'The last commit that changed the file' })
  last_commit_id!: string;

  @Flag()
  execute_filemode!: boolean;

  @Text({ description: 'In base64' })
  content!: string;
}

/** Response to a change of a file. */
export class ChangedFileRecord {
  @Text()
  file_path!: string;

  @Text()
  branch!: string;
}

/** The commit of blamed lines. */
export class BlameCommitRecord {
  @Text()
  id!: string;

  @List(Text())
  parent_ids!: string[];

  @Text()
  message!: string;

  @Text()
  authored_date!: string;

  @Text()
  author_name!: string;

  @Text()
  author_email!: string;

  @Text()
  committed_date!: string;

  @Text()
  committer_name!: string;

  @Text()
  committer_email!: string;
}

/** Consecutive lines of the same commit. */
export class BlameRecord {
  @Nested(() => BlameCommitRecord)
  commit!: BlameCommitRecord;

  @List(Text())
  lines!: string[];
}
