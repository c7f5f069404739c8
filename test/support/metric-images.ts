import type { Answer, ApiClient } from './client.js';

/** The smallest GIF there is; its bytes are letters. */
export const GIF = 'GIF89a;';

/** Fields of a form for an image. */
export interface ImageForm {
  readonly name?: string;
  /** The name in the encoding of RFC 5987, which can express any byte. */
  readonly encodedName?: string;
  readonly content?: string;
  /** Name of the field with the file. */
  readonly field?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Sends an image as browsers do, with a wrong type. */
export function sendImage<T>(
  client: ApiClient,
  path: string,
  form: ImageForm,
  method: 'POST' | 'PUT' = 'POST',
): Promise<Answer<T>> {
  const { name = 'load.gif', encodedName, content = GIF, field = 'file', fields = {} } = form;
  const filename = encodedName === undefined ? `filename="${name}"` : `filename*=UTF-8''${encodedName}`;
  const parts = Object.entries(fields).map(
    ([key, value]) => `--edge\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const file = `--edge\r\nContent-Disposition: form-data; name="${field}"; ${filename}\r\nContent-Type: text/html\r\n\r\n${content}\r\n`;
  return client.send<T>(method, path, `${parts.join('')}${file}--edge--\r\n`, {
    'Content-Type': 'multipart/form-data; boundary=edge',
  });
}
