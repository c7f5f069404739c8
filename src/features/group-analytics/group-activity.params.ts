import { IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** Group and period of a count. */
export class CountGroupActivityParams {
  @Text({ maxLength: 1024, description: 'Full path of the group' })
  group_path!: string;

  @IsoTime({
    optional: true,
    description:
      'What was created at or after this time; unless given, as many days ago as the instance counts',
  })
  created_after?: Date;

  @IsoTime({ optional: true, description: 'What was created at or before this time' })
  created_before?: Date;
}
