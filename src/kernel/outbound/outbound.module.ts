import { Module } from '@nestjs/common';
import { OutboundHttp } from './outbound-http.js';
import { OutboundUrls } from './outbound-urls.js';

/** Calls to URLs that people have given. */
@Module({ providers: [OutboundHttp, OutboundUrls], exports: [OutboundHttp, OutboundUrls] })
export class OutboundModule {}
