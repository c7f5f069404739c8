/** Types of images that are taken: none of them can hold anything that runs. */
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

/** Names that images go by: under any other one a file that is both an image and something else could be opened as the other. */
const NAME = /\.(png|jpe?g|gif|webp|bmp|tiff?|ico)$/i;

/** Bytes of a file's beginning that tell what it is. */
export const SIGNATURE_BYTES = 16;

/** The type of an image by its beginning, whatever its sender says; null for what is none, or has the name of something else. */
export function imageType(name: string, beginning: Buffer): string | null {
  if (!NAME.test(name)) return null;
  const text = beginning.toString('latin1');
  const found = SIGNATURES.find(([, offset, bytes]) => text.startsWith(bytes, offset));
  return found?.[0] ?? null;
}
