import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { loadConfig } from '#kernel/config/load-config.js';
import { ObjectNotFound, WrongAnswer, type ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { isStoreRefusal } from '#kernel/object-storage/store-refusal.js';
import { s3Error, startMeddlingS3, type MeddlingS3 } from '../support/meddling-s3.js';

const MEBIBYTE = 1024 * 1024;

describe('S3 that answers wrongly', () => {
  let s3: MeddlingS3;
  let store: ObjectStorage;
  beforeAll(async () => {
    s3 = await startMeddlingS3();
    store = await openObjectStorage(loadConfig({ OBJECT_STORE_URL: s3.url('forge/wrong') }));
  });
  afterEach(() => s3.meddle());
  afterAll(async () => {
    store.close();
    await s3.close();
  });

  const page = (response: ServerResponse, key: string, rest: string): true => {
    response.setHeader('Content-Type', 'application/xml');
    const listed = `<Contents><Key>wrong/${key}</Key><Size>1</Size></Contents>`;
    response.end(`<?xml version="1.0"?><ListBucketResult>${listed}${rest}</ListBucketResult>`);
    return true;
  };
  const MORE = '<IsTruncated>true</IsTruncated>';
  const listed = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of store.list()) {
      keys.push(key);
      if (keys.length > 10) throw new Error('The list does not end');
    }
    return keys;
  };

  it('lists all pages', async () => {
    s3.meddle(({ url = '' }, response) =>
      url.includes('continuation-token=a%2Bb')
        ? page(response, 'two', '<IsTruncated>false</IsTruncated>')
        : page(response, 'one', `${MORE}<NextContinuationToken>a+b</NextContinuationToken>`),
    );
    expect(await listed()).toEqual(['one', 'two']);
  });

  it.each([
    ['has no token for the rest', ''],
    ['goes on with the same page for ever', '<NextContinuationToken>same</NextContinuationToken>'],
  ])('does not take a list for whole that %s', async (_what, rest) => {
    s3.meddle((_request, response) => page(response, 'one', MORE + rest));
    await expect(listed()).rejects.toBeInstanceOf(WrongAnswer);
  });

  it('ends the search for unfinished uploads where the list does not go on', async () => {
    let asked = 0;
    s3.meddle((_request, response) => {
      if ((asked += 1) > 5) return s3Error(response, 403, 'AccessDenied');
      response.setHeader('Content-Type', 'application/xml');
      response.end(
        `<ListMultipartUploadsResult>${MORE}<NextKeyMarker>k</NextKeyMarker></ListMultipartUploadsResult>`,
      );
      return true;
    });
    await store.removeStale();
    expect(asked).toBe(2);
  });

  it('tells a missing bucket from a missing object', async () => {
    await expect(store.head('none')).rejects.toBeInstanceOf(ObjectNotFound);
    s3.meddle((request, response) => s3Error(response, 404, 'NoSuchBucket', request.method === 'HEAD'));
    const [error] = await Promise.all([
      store.head('none').catch((reason: unknown) => reason),
      expect(store.delete('none')).rejects.toThrow(),
    ]);
    expect([error instanceof ObjectNotFound, isStoreRefusal(error)]).toEqual([false, true]);
    // Who may not ask for the bucket still learns that there is no such object.
    s3.meddle(({ method, url = '' }, response) =>
      method === 'HEAD' && !url.includes('none') ? s3Error(response, 403, 'AccessDenied', true) : false,
    );
    await expect(store.head('none')).rejects.toBeInstanceOf(ObjectNotFound);
  });

  it.each(['short', 'much too long'])('takes an object that is %s for none', async (body) => {
    await store.put('small', Buffer.from('as it was'));
    expect((await store.whole('small', 9)).toString()).toBe('as it was');
    s3.meddle((_request, response) => (response.end(body), true));
    const error = await store.whole('small', 9).catch((reason: unknown) => reason);
    expect([error, isStoreRefusal(error)]).toEqual([expect.any(WrongAnswer), true]);
  });

  it.each([
    ['a part has no tag', 'partNumber='],
    ['the end of an upload is an error in an answer with 200', 'uploadId='],
  ])('keeps no object if %s', async (_what, where) => {
    s3.meddle(({ method, url = '' }, response) => {
      const isPart = url.includes('partNumber=');
      if (method === 'DELETE' || !url.includes(where) || (where === 'uploadId=' && isPart)) return false;
      return isPart ? (response.end(), true) : s3Error(response, 200, 'InternalError');
    });
    const content = Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(MEBIBYTE)));
    const error = await store.put('large', content).catch((reason: unknown) => reason);
    expect([error, isStoreRefusal(error)]).toEqual([expect.any(Error), true]);
    s3.meddle();
    await expect(store.head('large')).rejects.toBeInstanceOf(ObjectNotFound);
  });
});
