import type { Config } from '#kernel/config/config.js';

/** Location of a bucket and credentials for it. */
export interface S3Location {
  readonly bucket: string;
  /** Empty, or a folder with its trailing slash. */
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly forcePathStyle: boolean;
  /** Undefined: the SDK's usual sources (AWS_* variables, web identity, instance role). */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
}

type S3Config = Pick<
  Config,
  'OBJECT_STORE_URL' | 'OBJECT_STORE_ACCESS_KEY_ID' | 'OBJECT_STORE_SECRET_ACCESS_KEY'
>;

/** Parses `s3://[key:secret@]bucket/prefix?endpoint=...&region=...&forcePathStyle=true`. */
export function parseS3Location(config: S3Config): S3Location {
  const url = new URL(config.OBJECT_STORE_URL ?? '');
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  const accessKeyId = config.OBJECT_STORE_ACCESS_KEY_ID ?? decodeURIComponent(url.username);
  const secretAccessKey = config.OBJECT_STORE_SECRET_ACCESS_KEY ?? decodeURIComponent(url.password);
  return {
    bucket: url.hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    forcePathStyle: ['true', '1'].includes(url.searchParams.get('forcePathStyle') ?? ''),
    credentials: accessKeyId === '' ? undefined : { accessKeyId, secretAccessKey },
  };
}
