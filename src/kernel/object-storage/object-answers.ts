import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '#kernel/config/config.js';
import { attachment, type FileBody } from '#kernel/http/answers/file-answer.js';
import { sendRanged, type FilePart, type RangedFile } from '#kernel/http/answers/ranged-answer.js';
import { ObjectStorage } from './object-storage.js';
import { SendfileProxies } from './sendfile-proxies.js';

/** An object as a file to respond with, which never changes. */
export interface StoredFile extends Omit<RangedFile, 'open' | 'handOver'> {
  readonly key: string;
}

/** Options for sending an object. */
export interface SendOptions {
  /** Whether the client may be redirected to the store, if the operator wants that. */
  readonly mayRedirect?: boolean;
}

/** Responds with objects, in whole or in part; the caller's access has already been checked. */
@Injectable()
export class ObjectAnswers {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly proxies: SendfileProxies,
    private readonly config: Config,
  ) {}

  /**
   * Sends the object, or lets the store or the reverse proxy send it. @throws ObjectNotFound @throws 412
   * @throws 416
   */
  send(
    request: Request,
    response: Response,
    { key, ...file }: StoredFile,
    { mayRedirect = false }: SendOptions = {},
  ): Promise<FileBody> {
    return sendRanged(request, response, {
      ...file,
      open: (part) => this.open(key, file, part),
      handOver: async () =>
        (await this.proxies.handOver(request, response, key, file)) ||
        (mayRedirect && (await this.redirect(response, key, file))),
    });
  }

  private async open(
    key: string,
    { size, sha256 }: Pick<StoredFile, 'size' | 'sha256'>,
    part: FilePart | null,
  ): ReturnType<RangedFile['open']> {
    const local = part
      ? await this.storage.openLocal(key, part.start, part.end - part.start + 1)
      : await this.storage.openLocal(key, 0, size, { sha256 });
    if (local) return local;
    return part ? this.storage.range(key, part.start, part.end) : this.storage.get(key);
  }

  private async redirect(response: Response, key: string, file: Omit<StoredFile, 'key'>): Promise<boolean> {
    if (!this.config.OBJECT_STORE_DIRECT_DOWNLOAD) return false;
    const as = { contentType: file.type, contentDisposition: attachment(file.name) };
    const url = await this.storage.signedUrl(key, as);
    if (url === null) return false;
    response.status(302);
    response.setHeader('Location', url);
    response.setHeader('Cache-Control', 'no-store');
    // They belong to the object, not to this response.
    for (const name of ['ETag', 'Last-Modified', 'Accept-Ranges']) response.removeHeader(name);
    return true;
  }
}
