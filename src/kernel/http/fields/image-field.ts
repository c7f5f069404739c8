import { imageType, SIGNATURE_BYTES } from '#kernel/images/image-type.js';
import { SentFile } from '../bodies/files/sent-file.js';
import { Problem, type FieldOptions } from './field-spec.js';
import { scalar, texts } from './scalar-fields.js';

/** An image from a file of a form, identified by its content. */
export interface SentImage {
  /** Plain characters only, with the extension of an image. */
  readonly filename: string;
  readonly type: string;
  readonly content: Buffer;
}

interface ImageOptions extends FieldOptions {
  readonly maxKib: number;
  /** Accepted types, by the extension for a file without one. */
  readonly types: Readonly<Record<string, string>>;
}

const MAX_NAME = 200;

/**
 * A file of a multipart body, which must be an image of one of the types; with `nullable` an empty value
 * means none.
 */
export function Image(options: ImageOptions): PropertyDecorator {
  const { maxKib, types } = options;
  const isTyped = (type: string | null): type is string => type !== null && Object.hasOwn(types, type);
  return scalar(options, {
    coerce: (raw) => {
      if (!(raw instanceof SentFile)) return new Problem(texts.invalid);
      if (raw.content.length > maxKib * 1024)
        return new Problem(`is too big (should be at most ${maxKib} KiB)`);
      const beginning = raw.content.subarray(0, SIGNATURE_BYTES);
      const named = (ending: string): string | null => imageType(`${raw.name}${ending}`, beginning);
      const type = raw.name.includes('.') ? named('') : named('.png');
      if (!isTyped(type))
        return new Problem(
          `file format is not supported. Please try one of the following supported formats: ${Object.keys(types).join(', ')}`,
        );
      const ending = raw.name.includes('.') ? '' : (types[type] ?? '');
      return { filename: plainName(`${raw.name}${ending}`), type, content: raw.content } satisfies SentImage;
    },
    check: () => 'is a file, which no record has',
    schema: () => ({ type: 'string', format: 'binary' }),
    file: { maxBytes: maxKib * 1024 },
  });
}

/**
 * Keeps characters that need no encoding in a URL; a long name keeps its end, which contains the extension.
 */
const plainName = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .replace(/^\.+(?=.)/, '')
    .slice(-MAX_NAME);
