import { List, ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

const LONG = 16 * 1024 * 1024;

/** A job in the result of a check. */
export class LintedJobRecord {
  @Text()
  name!: string;

  @Text({ example: 'test' })
  stage!: string;

  @List(Text({ blank: true, maxLength: LONG }))
  before_script!: readonly string[];

  @List(Text({ blank: true, maxLength: LONG }))
  script!: readonly string[];

  @List(Text({ blank: true, maxLength: LONG }))
  after_script!: readonly string[];

  @List(Text())
  tag_list!: readonly string[];

  @Text({ nullable: true, description: 'Name of its environment, with variables' })
  environment!: string | null;

  @Text({ example: 'on_success' })
  when!: string;

  @Flag()
  allow_failure!: boolean;
}

/** Result of a check. */
export class LintRecord {
  @Flag()
  valid!: boolean;

  @List(Text())
  errors!: readonly string[];

  @List(Text())
  warnings!: readonly string[];

  @Text({
    nullable: true,
    blank: true,
    maxLength: LONG,
    description: 'The configuration with everything that it includes and extends',
  })
  merged_yaml!: string | null;

  @ListOf(() => LintedJobRecord, { optional: true, description: 'With include_jobs' })
  jobs?: readonly LintedJobRecord[];
}
