import { Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** A project as referred to in other records. */
export class ProjectBasicRecord {
  @Id()
  id!: number;

  @Text({ nullable: true })
  description!: string | null;

  @Text()
  name!: string;

  @Text()
  name_with_namespace!: string;

  @Text()
  path!: string;

  @Text()
  path_with_namespace!: string;
}
