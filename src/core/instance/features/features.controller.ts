import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { FeatureRecord, FlagDefinitionRecord, presentFeature } from './feature.record.js';
import { NameFeatureParams, SetFeatureParams } from './features.params.js';
import { FeaturesService } from './features.service.js';
import { FLAG_DEFINITIONS } from './flag-definitions.js';

/** Feature flags of the instance. */
@Controller('api/v4/features')
export class FeaturesController {
  constructor(private readonly features: FeaturesService) {}

  @Get()
  @Access({ admin: true })
  @ReturnsList(FeatureRecord)
  list(@Paged() page: Page): FeatureRecord[] {
    return page.slice(this.features.list()).map(([name, gates]) => presentFeature(name, gates));
  }

  @Get('definitions')
  @Access({ admin: true })
  @ReturnsList(FlagDefinitionRecord)
  definitions(@Paged() page: Page): FlagDefinitionRecord[] {
    return page.slice(FLAG_DEFINITIONS);
  }

  @Post(':name')
  @Access({ admin: true })
  @Returns(FeatureRecord, 201)
  async set(@CurrentActor() actor: Actor, @Params() params: SetFeatureParams): Promise<FeatureRecord> {
    return presentFeature(params.name, await this.features.set(actor, params));
  }

  @Delete(':name')
  @Access({ admin: true })
  @ReturnsNothing()
  async remove(@CurrentActor() actor: Actor, @Params() { name }: NameFeatureParams): Promise<void> {
    await this.features.remove(actor, name);
  }
}
