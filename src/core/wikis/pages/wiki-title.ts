import { invalid } from '#kernel/http/errors.js';
import { isFilePath } from '#core/repositories/git/build-commit.js';
import { pagePath } from './wiki-formats.js';

/** Limit of bytes of the name of a page: file systems allow ten more for the extension. */
const MAX_NAME_BYTES = 245;
/** Limit of bytes of the name of a folder. */
const MAX_FOLDER_BYTES = 255;

/**
 * Returns the slug of a title: blanks become dashes, slashes make folders. @throws 400 if the title is not a
 * valid file name
 */
export function slugOfTitle(title: string): string {
  const parts = title
    .split('/')
    .map((part) => part.trim().replace(/ +/g, '-'))
    .filter((part) => part !== '' && part !== '.');
  const name = parts.at(-1);
  if (name === undefined) throw invalid({ title: ["can't be blank"] });
  for (const folder of parts.slice(0, -1))
    if (Buffer.byteLength(folder) > MAX_FOLDER_BYTES)
      throw invalid({
        title: [
          `exceeds the limit of ${MAX_FOLDER_BYTES} bytes for directory name "${folder.slice(0, 50)}..."`,
        ],
      });
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw invalid({ title: [`exceeds the limit of ${MAX_NAME_BYTES} bytes`] });
  const slug = parts.join('/');
  if (/[\p{Cc}\ufffd]/u.test(slug) || !isFilePath(slug) || !isFilePath(pagePath(slug, 'asciidoc')))
    throw invalid({ title: ['is invalid'] });
  return slug;
}

/**
 * Returns the slug of a renamed page: it stays in its folder unless the title names one, `/` being the root.
 */
export function renamedSlug(slug: string, title: string): string {
  const wanted = slugOfTitle(title);
  const folder = slug.slice(0, slug.lastIndexOf('/') + 1);
  return title.trim().startsWith('/') || wanted.includes('/') ? wanted : slugOfTitle(folder + wanted);
}

/** Returns the title of a page: its file name, with dashes as blanks. */
export const titleOfSlug = (slug: string): string =>
  slug.slice(slug.lastIndexOf('/') + 1).replaceAll('-', ' ');
