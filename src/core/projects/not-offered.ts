import type { Values } from '#kernel/http/fields/derived-fields.js';
import { Flag, OneOf } from '#kernel/http/fields/scalar-fields.js';

const NONE = { description: 'Accepted for compatibility, without effect: not supported' };

/** Attributes of projects that v4 clients know and this service does not support. */
export class NotOffered {
  @Flag(NONE)
  lfs_enabled!: boolean;

  @Flag(NONE)
  container_registry_enabled!: boolean;

  @OneOf(['disabled', 'private', 'enabled'], NONE)
  container_registry_access_level!: string;
}

/** Their fixed values in records, regardless of the request. */
export const NOT_OFFERED: Readonly<Values<NotOffered>> = {
  lfs_enabled: false,
  container_registry_enabled: false,
  container_registry_access_level: 'disabled',
};
