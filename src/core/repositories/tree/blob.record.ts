import { Count, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Path parameters of a blob. */
export class FindBlobParams {
  @Text({ maxLength: 64, description: 'Id of a blob' })
  sha!: string;
}

/** A blob with its content. */
export class BlobRecord {
  @Count({ description: 'Bytes' })
  size!: number;

  @OneOf(['base64'])
  encoding!: 'base64';

  @Text({ description: 'In base64' })
  content!: string;

  @Text()
  sha!: string;
}
