import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '#kernel/config/config.js';
import { Networks } from '#kernel/http/client-address.js';
import { attachment } from '#kernel/http/answers/file-answer.js';
import { ObjectStorage } from './object-storage.js';

/** The location that nginx maps to the object folder and does not serve to clients (`internal`). */
const OBJECTS_PREFIX = '/-/objects/';

/** Lets the reverse proxy send local files, as nginx does for responses with `X-Accel-Redirect`. */
@Injectable()
export class SendfileProxies {
  private readonly trusted: Networks;

  constructor(
    private readonly config: Config,
    private readonly storage: ObjectStorage,
  ) {
    this.trusted = new Networks(config.TRUSTED_PROXIES);
  }

  /**
   * Tells the proxy which object to send; false if there is none to tell, or the peer is not a trusted proxy.
   * @throws ObjectNotFound
   */
  async handOver(
    request: Request,
    response: Response,
    key: string,
    file: { readonly name: string; readonly type: string },
  ): Promise<boolean> {
    const header = this.config.SENDFILE_HEADER;
    if (header === undefined || !this.trusted.includes(request.socket.remoteAddress ?? '')) return false;
    if ((await this.storage.localPath(key)) === null) return false;
    // nginx passes this on, and adds its own.
    response.removeHeader('Accept-Ranges');
    response.setHeader(header, OBJECTS_PREFIX + key.split('/').map(encodeURIComponent).join('/'));
    response.setHeader('Content-Type', file.type);
    response.setHeader('Content-Disposition', attachment(file.name));
    return true;
  }
}
