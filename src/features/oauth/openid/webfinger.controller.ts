import { Controller, Get, Header } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';
import { Links } from '#kernel/http/links.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';

/** Resource to look up: a user at a host, or a URL. */
export class WebfingerParams {
  @Text({ maxLength: 2048, matches: /^(acct:[^\s@/]+@[^\s@/]+|https?:\/\/[^\s/?#]\S*)$/i })
  resource!: string;
}

/** A relation of the resource. */
export class WebfingerLinkRecord {
  @Text()
  rel!: string;

  @Text()
  href!: string;
}

/** Description of a resource (RFC 7033, 4.4). */
export class WebfingerRecord {
  @Text()
  subject!: string;

  @ListOf(() => WebfingerLinkRecord)
  links!: WebfingerLinkRecord[];
}

/**
 * Tells clients that know only a user's address that this is the issuer (OpenID Connect Discovery, 2). The
 * response is the same for all resources, so that it does not reveal accounts; clients that are directed here
 * decide for which hosts.
 */
@Controller('.well-known/webfinger')
export class WebfingerController {
  constructor(private readonly links: Links) {}

  @Get()
  @Access({ credential: 'ignored' })
  @Returns(WebfingerRecord)
  @Header('Cache-Control', 'public, max-age=3600')
  find(@Params() { resource }: WebfingerParams): WebfingerRecord {
    const issuer = { rel: 'http://openid.net/specs/connect/1.0/issuer', href: this.links.base };
    return { subject: resource, links: [issuer] };
  }
}
