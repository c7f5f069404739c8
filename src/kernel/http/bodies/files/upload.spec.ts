import { describe, expect, it } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ApiRequest } from '../../request.js';
import { takeUpload } from './upload.js';

const HEADERS = { 'content-type': 'multipart/form-data; boundary=b' };
const part = (name: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n`;

const requestOf = (): PassThrough & ApiRequest =>
  Object.assign(new PassThrough(), { headers: HEADERS, res: new EventEmitter() }) as unknown as PassThrough &
    ApiRequest;

describe('uploads', () => {
  it('fail if their sender disconnects before they are read, and affect no others', async () => {
    for (const name of ['file', 'other']) {
      const request = requestOf();
      const left = once(request, 'close');
      const taken = takeUpload(request, 'file', 1000, async (file) => {
        await left;
        await new Promise(setImmediate);
        return buffer(file);
      });
      request.write(`${part(name)}abc`);
      await new Promise(setImmediate);
      request.destroy();
      await expect(taken).rejects.toMatchObject({ status: 400 });
    }
  });

  it('are passed on as they arrive, up to one byte above the limit', async () => {
    const request = requestOf();
    const taken = takeUpload(request, 'file', 3, (file) => buffer(file));
    request.end(`${part('other')}x\r\n${part('file')}abcdef\r\n--b--\r\n`);
    const { name, result } = await taken;
    expect([name, result.toString()]).toEqual(['f', 'abcd']);
  });
});
