import { invalid } from '#kernel/http/errors.js';
import { isWebAddress } from '../../integrations/web-address.js';

/** What an image is linked with; undefined leaves it as it is. */
export interface ImageLinkValues {
  readonly url: string | null | undefined;
  readonly urlText: string | null | undefined;
}

/** A blank text is none. */
const orNone = (text: string | null | undefined): string | null | undefined =>
  text !== undefined && text?.trim() === '' ? null : text;

/** A link that may be shown: of the web, and nothing that runs in who follows it. @throws 400 */
export function imageLink(params: { url?: string | null; url_text?: string | null }): ImageLinkValues {
  const url = orNone(params.url);
  if (url && !isWebAddress(url)) throw invalid({ url: ['must be a valid URL'] });
  return { url, urlText: orNone(params.url_text) };
}
