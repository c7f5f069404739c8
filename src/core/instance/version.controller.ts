import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { PRODUCT_REVISION, PRODUCT_VERSION } from './version.js';

/** Version of the API, which clients compare, and the version of the product as revision. */
export class VersionRecord {
  @Text({ example: '16.5.0' })
  version!: string;

  @Text({ description: 'Version and commit of Forgeplane' })
  revision!: string;
}

/** State of the agent server, which this product does not have. */
export class AgentServerRecord {
  @Flag()
  enabled!: boolean;

  @Text({ nullable: true })
  externalUrl!: string | null;

  @Text({ nullable: true })
  version!: string | null;
}

/** Version with other facts that tools request. */
export class MetadataRecord extends VersionRecord {
  @Nested(() => AgentServerRecord)
  kas!: AgentServerRecord;

  @Flag()
  enterprise!: boolean;
}

/** Version of this instance. */
@Controller('api/v4')
export class VersionController {
  @Get('version')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(VersionRecord)
  version(): VersionRecord {
    return { version: PRODUCT_VERSION, revision: PRODUCT_REVISION };
  }

  @Get('metadata')
  @Access({ user: true, scopes: ['read_user'] })
  @Returns(MetadataRecord)
  metadata(): MetadataRecord {
    const kas = { enabled: false, externalUrl: null, version: null };
    return { version: PRODUCT_VERSION, revision: PRODUCT_REVISION, kas, enterprise: true };
  }
}
