import { Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTime, isoTimeOrNull } from '#kernel/http/times.js';
import { KEY_USAGES } from './ssh-key.entity.js';

/** A public SSH key. */
export class SshKeyRecord {
  @Id()
  id!: number;

  @Text()
  title!: string;

  @IsoTime()
  created_at!: string;

  @IsoTime({ nullable: true })
  expires_at!: string | null;

  @Text()
  key!: string;

  @OneOf(KEY_USAGES)
  usage_type!: (typeof KEY_USAGES)[number];
}

/** Row of a key. */
export interface SshKeyRow {
  readonly id: number;
  readonly title: string;
  readonly key: string;
  readonly usage_type: (typeof KEY_USAGES)[number];
  readonly expires_at: Date | null;
  readonly created_at: Date;
}

/** Presents a key. */
export const presentSshKey = (row: SshKeyRow): SshKeyRecord => ({
  id: row.id,
  title: row.title,
  created_at: isoTime(row.created_at),
  expires_at: isoTimeOrNull(row.expires_at),
  key: row.key,
  usage_type: row.usage_type,
});
