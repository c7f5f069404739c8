import { List, ListOf } from '#kernel/http/fields/composite-fields.js';
import { Anything, Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** A variable of a job. */
export class PayloadVariable {
  @Text()
  key!: string;

  @Text()
  value!: string;

  @Flag()
  public!: boolean;

  @Flag()
  masked!: boolean;

  @Flag({ optional: true, description: 'The value is written to a file, whose path the variable holds' })
  file?: boolean;

  @Flag({ optional: true, description: 'The value is not expanded' })
  raw?: boolean;
}

/** A variable of a service. */
export class PayloadServiceVariable {
  @Text()
  key!: string;

  @Text()
  value!: string;
}

/** Container image of a job. */
export class PayloadImage {
  @Text()
  name!: string;

  @List(Text(), { nullable: true })
  entrypoint!: string[] | null;

  @List(Anything())
  ports!: unknown[];

  @List(Text(), { nullable: true })
  pull_policy!: string[] | null;
}

/** A service container of a job. */
export class PayloadService extends PayloadImage {
  @Text({ nullable: true })
  alias!: string | null;

  @List(Text(), { nullable: true })
  command!: string[] | null;

  @ListOf(() => PayloadServiceVariable)
  variables!: PayloadServiceVariable[];
}
