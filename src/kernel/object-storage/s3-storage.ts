import type {
  AbortMultipartUploadCommandInput,
  ListMultipartUploadsCommandOutput,
  ListObjectsV2CommandOutput,
  S3Client,
  S3ClientConfig,
} from '@aws-sdk/client-s3';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { quietSdk } from '#kernel/config/quiet-sdk.js';
import { countStoreError } from '#kernel/log/metrics.js';
import { inLargePieces } from '#kernel/streams/pieces.js';
import { limitSilence } from '#kernel/streams/upstream-silence.js';
import { Meter } from './meter.js';
import { requireS3Packages } from './s3-packages.js';
import { checkKey, checkPrefix } from './object-key.js';
import {
  ObjectNotFound,
  ObjectStorage,
  PROBES,
  RangeNotSatisfiable,
  WrongAnswer,
  type ListedObject,
  type ObjectInfo,
  type PutOptions,
  type SignedAs,
  type StoredObject,
} from './object-storage.js';
import type { S3Location } from './s3-location.js';
import { isStoreRefusal } from './store-refusal.js';

/** The last upload of a page of their list. */
interface UploadsAfter {
  readonly KeyMarker?: string | undefined;
  readonly UploadIdMarker?: string | undefined;
}

type Sdk = typeof import('@aws-sdk/client-s3');

/** Two parts are in memory at a time; 10,000 of them make 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_A_TIME = 2;
/** No upload takes that long. */
const STALE_MS = 7 * 24 * 60 * 60 * 1000;
/** Limit of the time in which the store sends and takes nothing. */
const SILENCE_MS = 60_000;
/** Time limit for starting a download; one that has started continues. */
const SIGNED_SECONDS = 60;

/** Stores objects in a bucket of S3 or of a compatible server. */
export class S3Storage extends ObjectStorage {
  private constructor(
    private readonly sdk: Sdk,
    private readonly location: S3Location,
    readonly client: S3Client,
    /** For downloads, whose sockets may be idle while the client does not read what has arrived. */
    private readonly reader: S3Client,
  ) {
    super();
  }

  /** Loads the SDK (only needed here) and prepares the client, which connects on first use. */
  static async open(location: S3Location): Promise<S3Storage> {
    requireS3Packages();
    quietSdk();
    const sdk = await import('@aws-sdk/client-s3');
    const open = (timeouts: object): S3Client => {
      const client = new sdk.S3Client(settingsOf(location, timeouts));
      countFailures(client);
      return client;
    };
    const reader = open({ requestTimeout: SILENCE_MS, throwOnRequestTimeout: true });
    // Next to the handler of requests, so that it also holds for the bodies of errors.
    reader.middlewareStack.add(
      (next) => async (args) => {
        const out = await next(args);
        limitSilence((out.response as { body: IncomingMessage }).body, SILENCE_MS);
        return out;
      },
      { step: 'deserialize', name: 'limitSilence', priority: 'low' },
    );
    return new S3Storage(sdk, location, open({ socketTimeout: SILENCE_MS }), reader);
  }

  override async put(
    key: string,
    content: Readable | Buffer,
    options: PutOptions = {},
  ): Promise<StoredObject> {
    const meter = new Meter(options.maxBytes);
    const target = {
      ...this.target(key),
      ...(options.contentType === undefined ? {} : { ContentType: options.contentType }),
    };
    if (Buffer.isBuffer(content)) {
      for await (const body of meter.pass(content)) {
        await this.client.send(new this.sdk.PutObjectCommand({ ...target, Body: body }));
      }
      return meter.result();
    }
    const { Upload } = await import('@aws-sdk/lib-storage');
    const upload = new Upload({
      client: this.client,
      // The SDK keeps the pieces of a part as they come.
      params: { ...target, Body: inLargePieces(meter.pass(content)) },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_A_TIME,
    });
    try {
      await upload.done();
    } catch (error) {
      throw (
        meter.failure ?? (isStoreRefusal(error) ? error : new WrongAnswer(String(error), { cause: error }))
      );
    }
    return meter.result();
  }

  override async get(key: string): Promise<Readable> {
    return (await this.read(key)).content;
  }

  override async range(key: string, start: number, end: number): Promise<Readable> {
    if (end < start) throw new RangeNotSatisfiable(key);
    const { content, part } = await this.read(key, `bytes=${start}-${end}`);
    const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(part) ?? [];
    if (Number(first) === start && Number(last) <= end) return content;
    content.destroy();
    throw new WrongAnswer(`The store sent another part of ${key} than bytes ${start} to ${end}: ${part}`);
  }

  override async head(key: string): Promise<ObjectInfo> {
    try {
      const answer = await this.client.send(new this.sdk.HeadObjectCommand(this.target(key)));
      return { size: answer.ContentLength ?? 0, modifiedAt: answer.LastModified ?? new Date(0) };
    } catch (error) {
      const translated = translate(error, key);
      if (translated instanceof ObjectNotFound) await this.requireBucket(error);
      throw translated;
    }
  }

  override async delete(key: string): Promise<void> {
    try {
      await this.client.send(new this.sdk.DeleteObjectCommand(this.target(key)));
    } catch (error) {
      const translated = translate(error, key);
      if (!(translated instanceof ObjectNotFound)) throw translated;
    }
  }

  override async *list(prefix = ''): AsyncIterable<ListedObject> {
    const asked = { Bucket: this.location.bucket, Prefix: this.location.prefix + checkPrefix(prefix) };
    for (let token: string | undefined, isOver = false; !isOver;) {
      const page: ListObjectsV2CommandOutput = await this.client.send(
        new this.sdk.ListObjectsV2Command({ ...asked, ContinuationToken: token }),
      );
      for (const item of page.Contents ?? []) {
        const key = item.Key?.slice(this.location.prefix.length) ?? '';
        yield { key, size: item.Size ?? 0, modifiedAt: item.LastModified ?? new Date(0) };
      }
      const next = page.NextContinuationToken;
      isOver = page.IsTruncated !== true;
      // A list that only seems to be whole would let backups be removed that others build on.
      if (!isOver && (next === undefined || next === token))
        throw new WrongAnswer('The store does not say how its list of objects continues');
      token = next;
    }
  }

  override async checkWritable(): Promise<void> {
    const key = `${PROBES}${randomBytes(6).toString('hex')}`;
    const { ETag: tag } = await this.client.send(
      new this.sdk.PutObjectCommand({ ...this.target(key), Body: Buffer.from('ok') }),
    );
    // Many web servers accept any request.
    if (tag === undefined) throw new WrongAnswer('what answers there stores no objects');
    await this.delete(key);
  }

  /** The store keeps the parts of uploads, and charges for them, until they are aborted. */
  override async removeStale(): Promise<void> {
    const { bucket: Bucket, prefix: Prefix } = this.location;
    const before = Date.now() - STALE_MS;
    for (let after: UploadsAfter | null = {}; after;) {
      const page: ListMultipartUploadsCommandOutput = await this.client.send(
        new this.sdk.ListMultipartUploadsCommand({ Bucket, Prefix, ...after }),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
        if (Initiated && Initiated.getTime() < before) await this.abort({ Bucket, Key, UploadId });
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      const isSame: boolean = KeyMarker === after.KeyMarker && UploadIdMarker === after.UploadIdMarker;
      after = page.IsTruncated && KeyMarker && !isSame ? { KeyMarker, UploadIdMarker } : null;
    }
  }

  override openLocal(): Promise<null> {
    return Promise.resolve(null);
  }

  override localPath(): Promise<null> {
    return Promise.resolve(null);
  }

  override async signedUrl(key: string, as: SignedAs): Promise<string> {
    // A missing object must be reported as usual, not in the store's format.
    await this.head(key);
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const command = new this.sdk.GetObjectCommand({
      ...this.target(key),
      ResponseContentType: as.contentType,
      ResponseContentDisposition: as.contentDisposition,
    });
    return getSignedUrl(this.client, command, { expiresIn: SIGNED_SECONDS });
  }

  override close(): void {
    this.client.destroy();
    this.reader.destroy();
  }

  private target(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.location.bucket, Key: this.location.prefix + checkKey(key) };
  }

  /** The answer to a HEAD has no body, which would tell a missing bucket from a missing object. @throws the error, if it is the bucket */
  private async requireBucket(error: unknown): Promise<void> {
    const asked = new this.sdk.HeadBucketCommand({ Bucket: this.location.bucket });
    // Not all accounts may ask for the bucket itself.
    const answer = await this.client.send(asked).catch((reason: unknown) => reason);
    if (translate(answer, '') instanceof ObjectNotFound) throw error;
  }

  /** Another process may have been faster. */
  private async abort(upload: AbortMultipartUploadCommandInput): Promise<void> {
    try {
      await this.client.send(new this.sdk.AbortMultipartUploadCommand(upload));
    } catch (error) {
      if (!(translate(error, '') instanceof ObjectNotFound)) throw error;
    }
  }

  /** Returns the content, and which part of the object the store says it is. */
  private async read(key: string, range?: string): Promise<{ content: Readable; part: string }> {
    try {
      const asked = new this.sdk.GetObjectCommand({ ...this.target(key), Range: range });
      const { Body, ContentRange = '' } = await this.reader.send(asked);
      // In Node the body is the response's socket stream.
      return { content: Body as Readable, part: ContentRange };
    } catch (error) {
      throw translate(error, key);
    }
  }
}

const settingsOf = (location: S3Location, timeouts: object): S3ClientConfig => ({
  region: location.region,
  forcePathStyle: location.forcePathStyle,
  ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
  ...(location.credentials ? { credentials: location.credentials } : {}),
  // Servers other than Amazon's do not support the trailing checksums that are the default.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: {
    connectionTimeout: 5_000,
    // By default 50: as many clients that read slowly would keep all others from the store.
    httpAgent: { maxSockets: Infinity },
    httpsAgent: { maxSockets: Infinity },
    ...timeouts,
  },
});

/** Counts failed requests; wraps all attempts that the client makes for one. */
function countFailures(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (translate(error, '') === error) countStoreError();
        throw error;
      }
    },
    { step: 'initialize', name: 'countStoreErrors' },
  );
}

function translate(error: unknown, key: string): unknown {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  // A missing bucket is a configuration error, not a missing object.
  if (name === 'NoSuchBucket') return error;
  if ($metadata?.httpStatusCode === 404) return new ObjectNotFound(key);
  if (name === 'InvalidRange' || $metadata?.httpStatusCode === 416) return new RangeNotSatisfiable(key);
  return error;
}
