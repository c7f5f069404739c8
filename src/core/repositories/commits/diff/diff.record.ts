import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** The diff of a file. */
export class DiffRecord {
  @Text({ description: 'Hunks of the unified diff; empty where it is too large' })
  diff!: string;

  @Text({ example: 'doc/update/5.4-to-6.0.md' })
  new_path!: string;

  @Text()
  old_path!: string;

  @Text({ example: '100644', description: 'Mode before; 0 where there was no file' })
  a_mode!: string;

  @Text({ example: '100644', description: 'Mode after; 0 where the file is gone' })
  b_mode!: string;

  @Flag()
  new_file!: boolean;

  @Flag()
  renamed_file!: boolean;

  @Flag()
  deleted_file!: boolean;

  @Flag({ description: 'The diff of this file alone is larger than what is shown' })
  too_large!: boolean;

  @Flag({ description: 'Not shown, because the preceding diffs are large' })
  collapsed!: boolean;
}
