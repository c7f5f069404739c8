import { Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { KEY_USAGES } from './ssh-key.entity.js';

/** Parameters of a new key of the signed-in user. */
export class NewSshKeyParams {
  @Text({ maxLength: 255 })
  title!: string;

  @Text({
    maxLength: 5000,
    description: 'One line in the format of OpenSSH',
    example:
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsnpOyfLYYLoMZIjN8BM0oFh9qKUCSQDtM8SlyyGAbA ada@example.com',
  })
  key!: string;

  @IsoTime({ optional: true, nullable: true })
  expires_at?: Date | null;

  @OneOf(KEY_USAGES, { optional: true, description: 'Default auth_and_signing' })
  usage_type?: (typeof KEY_USAGES)[number];
}

/** Parameters of a new key of any user. */
export class NewSshKeyOfUserParams extends NewSshKeyParams {
  @Id()
  id!: number;
}

/** Id of a key of the signed-in user. */
export class SshKeyIdParams {
  @Id()
  key_id!: number;
}

/** Id of a key of a user. */
export class SshKeyOfUserParams extends SshKeyIdParams {
  @Id()
  id!: number;
}
