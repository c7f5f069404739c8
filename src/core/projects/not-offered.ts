import type { Values } from '#kernel/http/fields/derived-fields.js';
import { Flag, OneOf } from '#kernel/http/fields/scalar-fields.js';

const NONE = { description: 'Taken for the sake of clients, and without effect: there is none here' };

/** Parts of projects that v4 clients know of, and that this service does not have. */
export class NotOffered {
  @Flag(NONE)
  lfs_enabled!: boolean;

  @Flag(NONE)
  container_registry_enabled!: boolean;

  @OneOf(['disabled', 'private', 'enabled'], NONE)
  container_registry_access_level!: string;
}

/** What records say of them, whatever was sent. */
export const NOT_OFFERED: Readonly<Values<NotOffered>> = {
  lfs_enabled: false,
  container_registry_enabled: false,
  container_registry_access_level: 'disabled',
};
