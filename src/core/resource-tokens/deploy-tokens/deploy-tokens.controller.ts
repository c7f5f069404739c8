import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { DeployTokenRecord, presentDeployToken } from './deploy-token.record.js';
import { ListDeployTokensParams } from './deploy-tokens.params.js';
import { DeployTokensService } from './deploy-tokens.service.js';

/** All deploy tokens of the instance. */
@Controller('api/v4/deploy_tokens')
export class DeployTokensController {
  constructor(private readonly tokens: DeployTokensService) {}

  @Get()
  @Access({ admin: true })
  @ReturnsList(DeployTokenRecord)
  async list(
    @Params() { active }: ListDeployTokensParams,
    @Paged() page: Page,
  ): Promise<DeployTokenRecord[]> {
    return (await page.load(this.tokens.list(null, active))).map(presentDeployToken);
  }
}
