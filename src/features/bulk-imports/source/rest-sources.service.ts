import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#kernel/outbound/outbound-http.js';
import { OutboundUrls } from '#kernel/outbound/outbound-urls.js';
import { RestSource } from './rest-source.js';
import { Sources, type SourceApi } from './source-api.js';
import { sourceBase } from './source-base.js';
import { SourceLimits } from './source-limits.js';

/** Opens sources over REST. */
@Injectable()
export class RestSourcesService extends Sources {
  constructor(
    private readonly http: OutboundHttp,
    private readonly urls: OutboundUrls,
    private readonly limits: SourceLimits,
  ) {
    super();
  }

  override open(url: string, token: string, signal: AbortSignal): SourceApi {
    const { http, limits } = this;
    return new RestSource(this.urls, { http, limits, base: sourceBase(url), token, signal });
  }
}
