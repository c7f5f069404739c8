import { invalid } from '#kernel/http/errors.js';
import { isWebAddress } from '../../integrations/web-address.js';

/** Link of an image; undefined for no change. */
export interface ImageLinkValues {
  readonly url: string | null | undefined;
  readonly urlText: string | null | undefined;
}

/** Converts blank text to null. */
const orNone = (text: string | null | undefined): string | null | undefined =>
  text !== undefined && text?.trim() === '' ? null : text;

/** Returns a link that is safe to show: only web URLs. @throws 400 */
export function imageLink(params: { url?: string | null; url_text?: string | null }): ImageLinkValues {
  const url = orNone(params.url);
  if (url && !isWebAddress(url)) throw invalid({ url: ['must be a valid URL'] });
  return { url, urlText: orNone(params.url_text) };
}
