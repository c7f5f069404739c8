import { Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTimeOrNull } from '#kernel/http/times.js';

/** A secondary email address of a user. */
export class UserEmailRecord {
  @Id()
  id!: number;

  @Text({ example: 'jane.private@example.com' })
  email!: string;

  @IsoTime({ nullable: true })
  confirmed_at!: string | null;
}

/** Row of an address. */
export interface UserEmailRow {
  readonly id: number;
  readonly email: string;
  readonly confirmed_at: Date | null;
}

/** Presents an address. */
export const presentUserEmail = ({ id, email, confirmed_at: at }: UserEmailRow): UserEmailRecord => ({
  id,
  email,
  confirmed_at: isoTimeOrNull(at),
});
