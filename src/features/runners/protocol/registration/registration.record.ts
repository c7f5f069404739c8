import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';

/** A new token of a runner: shown only now. */
export class NewRunnerTokenRecord {
  @Text()
  token!: string;

  @IsoTime({ nullable: true })
  token_expires_at!: string | null;
}

/** A new runner with its token. */
export class RegisteredRunnerRecord extends NewRunnerTokenRecord {
  @Id()
  id!: number;
}
