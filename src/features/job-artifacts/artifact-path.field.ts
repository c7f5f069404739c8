import { Problem, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { scalar, texts } from '#kernel/http/fields/scalar-fields.js';
import { isArtifactPath } from '#core/ci/artifacts/archive/artifact-path.js';

/** A path within an archive, over any number of URL segments; slashes may be escaped. */
export function ArtifactPath(options: FieldOptions = {}): PropertyDecorator {
  return scalar(options, {
    coerce: (raw) => {
      const path = Array.isArray(raw) ? raw.join('/') : raw;
      // Folders have valid paths, but are not files.
      return typeof path === 'string' && isArtifactPath(path.replace(/(?<=.)\/$/, ''))
        ? path
        : new Problem(texts.invalid);
    },
    check: (value) => (typeof value === 'string' ? null : 'is not a string'),
    schema: () => ({ type: 'string' }),
  });
}
