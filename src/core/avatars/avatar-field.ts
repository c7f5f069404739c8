import type { FieldOptions } from '#kernel/http/fields/field-spec.js';
import { Image } from '#kernel/http/fields/image-field.js';

const TYPES = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/x-icon': '.ico',
};

/** The avatar of a user, group or project, as the file of a form; an empty value removes it. */
export const AvatarFile = (options: Pick<FieldOptions, 'optional'> = {}): PropertyDecorator =>
  Image({
    ...options,
    nullable: true,
    maxKib: 200,
    types: TYPES,
    description:
      'PNG, JPEG, GIF, WebP or ICO of at most 200 KiB, in multipart/form-data; an empty value removes it',
  });
