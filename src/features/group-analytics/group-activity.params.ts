import { IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** Group and period of a count. */
export class CountGroupActivityParams {
  @Text({ maxLength: 1024, description: 'Full path of the group' })
  group_path!: string;

  @IsoTime({
    optional: true,
    description: 'Created at or after this time; default: the start of the period that the instance counts',
  })
  created_after?: Date;

  @IsoTime({ optional: true, description: 'Created at or before this time' })
  created_before?: Date;
}
