import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '#kernel/config/config.js';
import { Networks } from '#kernel/http/client-address.js';
import { attachment } from '#kernel/http/answers/file-answer.js';
import { ObjectStorage } from './object-storage.js';

/** The place that nginx maps to the folder of objects, open to nobody but itself (`internal`). */
const OBJECTS_PLACE = '/-/objects/';

/** Lets the proxy in front of us send files that lie on this machine, as nginx does when an answer says `X-Accel-Redirect`. */
@Injectable()
export class SendfileProxies {
  private readonly trusted: Networks;

  constructor(
    private readonly config: Config,
    private readonly storage: ObjectStorage,
  ) {
    this.trusted = new Networks(config.TRUSTED_PROXIES);
  }

  /** Tells the proxy which object to send; false where none is to, and for whoever is no trusted proxy. @throws ObjectNotFound */
  async handOver(
    request: Request,
    response: Response,
    key: string,
    file: { readonly name: string; readonly type: string },
  ): Promise<boolean> {
    const header = this.config.SENDFILE_HEADER;
    if (header === undefined || !this.trusted.includes(request.socket.remoteAddress ?? '')) return false;
    if ((await this.storage.localPath(key)) === null) return false;
    response.setHeader(header, OBJECTS_PLACE + key.split('/').map(encodeURIComponent).join('/'));
    response.setHeader('Content-Type', file.type);
    response.setHeader('Content-Disposition', attachment(file.name));
    return true;
  }
}
