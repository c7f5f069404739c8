import { Module } from '@nestjs/common';
import { OutboundHttp } from './outbound-http.js';
import { OutboundUrls } from './outbound-urls.js';

/** Calls to user-supplied URLs. */
@Module({ providers: [OutboundHttp, OutboundUrls], exports: [OutboundHttp, OutboundUrls] })
export class OutboundModule {}
