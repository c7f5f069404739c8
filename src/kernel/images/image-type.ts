/** Accepted image types: none of them can contain anything executable. */
const SIGNATURES: readonly (readonly [type: string, offset: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBPVP8'],
  ['image/bmp', 0, 'BM'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['image/x-icon', 0, '\0\0\x01\0'],
];

/**
 * Extensions of images. With any other one, a file that is both an image and something else could be opened
 * as the latter.
 */
const NAME = /\.(png|jpe?g|gif|webp|bmp|tiff?|ico)$/i;

/** Number of initial bytes that determine the type. */
export const SIGNATURE_BYTES = 16;

/**
 * Returns the type of an image from its first bytes, regardless of what its sender claims; null if it is not an image
 * or has another extension.
 */
export function imageType(name: string, beginning: Buffer): string | null {
  if (!NAME.test(name)) return null;
  const text = beginning.toString('latin1');
  const found = SIGNATURES.find(([, offset, bytes]) => text.startsWith(bytes, offset));
  return found?.[0] ?? null;
}
