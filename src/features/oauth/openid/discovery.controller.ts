import { Controller, Get, Header } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { SCOPES } from '#kernel/access/roles.js';
import { Links } from '#kernel/http/links.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { JwksRecord, ProviderRecord } from './discovery.record.js';
import { providerMetadata } from './provider-metadata.js';
import { SigningKeysQueries } from './keys/signing-keys.queries.js';
import { SigningKeysService } from './keys/signing-keys.service.js';

/** Changes at most with a new release. */
const FOR_AN_HOUR = 'public, max-age=3600';

/**
 * May be stored but must be revalidated: a rotated key must be found at once. The entity tag makes this
 * cheap.
 */
const ALWAYS_ASK = 'public, max-age=0, must-revalidate';

/** Discovery of the provider's endpoints and signing keys by clients. */
@Controller()
export class DiscoveryController {
  private readonly metadata: ProviderRecord;

  constructor(
    links: Links,
    private readonly keys: SigningKeysQueries,
    private readonly service: SigningKeysService,
  ) {
    this.metadata = providerMetadata(links.base, SCOPES);
  }

  @Get('.well-known/openid-configuration')
  @Access({ credential: 'ignored' })
  @Returns(ProviderRecord)
  @Header('Cache-Control', FOR_AN_HOUR)
  openidConfiguration(): ProviderRecord {
    return this.metadata;
  }

  /** The same document under the name of RFC 8414. */
  @Get('.well-known/oauth-authorization-server')
  @Access({ credential: 'ignored' })
  @Returns(ProviderRecord)
  @Header('Cache-Control', FOR_AN_HOUR)
  authorizationServer(): ProviderRecord {
    return this.metadata;
  }

  @Get('oauth/discovery/keys')
  @Access({ credential: 'ignored' })
  @Returns(JwksRecord)
  @Header('Cache-Control', ALWAYS_ASK)
  async jwks(): Promise<JwksRecord> {
    const keys = await this.keys.served();
    if (keys.length > 0) return { keys };
    // Make sure there is a key: a client that caches an empty set would not look again when its first token
    // arrives.
    return { keys: [(await this.service.ensure()).public_jwk] };
  }
}
