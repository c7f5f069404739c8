import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** Another token of a runner: shown this once. */
export class NewRunnerTokenRecord {
  @Text()
  token!: string;

  @IsoTime({ nullable: true })
  token_expires_at!: string | null;
}

/** A runner and its token, as it needs them. */
export class RegisteredRunnerRecord extends NewRunnerTokenRecord {
  @Id()
  id!: number;
}
