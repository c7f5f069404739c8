import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentCaller,
  type Actor,
  type Caller,
  type Credential,
} from '#kernel/access/caller.js';
import { assertCovers } from '#kernel/access/credential-bounds.js';
import { notFound } from '#kernel/http/errors.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { requireChange } from '#kernel/http/fields/require-change.js';
import { ApplicationsQueries } from '#core/oauth-tokens/applications/applications.queries.js';
import {
  ApplicationsService,
  type AssertManaged,
} from '#core/oauth-tokens/applications/applications.service.js';
import type { OauthApplication } from '#core/oauth-tokens/applications/oauth-application.entity.js';
import {
  ApplicationRecord,
  NewApplicationRecord,
  presentApplication,
  presentNewApplication,
} from './application.record.js';
import { ApplicationPath, CreateApplicationParams, UpdateApplicationParams } from './applications.params.js';

/**
 * Applications of the instance, for administrators; those of users are managed only by their owners
 * (`auth-core.md` 1.14).
 */
@Controller('api/v4/applications')
export class ApplicationsController {
  constructor(
    private readonly queries: ApplicationsQueries,
    private readonly applications: ApplicationsService,
  ) {}

  @Get()
  @Access({ admin: true })
  @ReturnsList(ApplicationRecord)
  async list(@Paged() page: Page): Promise<ApplicationRecord[]> {
    return (await page.load(this.queries.ofInstance())).map(presentApplication);
  }

  @Post()
  @Access({ admin: true, makesCredential: true })
  @Returns(NewApplicationRecord, 201)
  async create(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() params: CreateApplicationParams,
  ): Promise<NewApplicationRecord> {
    assertCovers(credential, params.scopes);
    const values = {
      name: params.name,
      redirectUris: params.redirect_uri,
      scopes: params.scopes,
      confidential: params.confidential ?? true,
      trusted: params.trusted ?? false,
      ownerId: null,
      refreshGracePeriodSeconds: params.refresh_grace_period_seconds ?? 0,
    };
    const { application, secret } = await this.applications.create(values, actor);
    return presentNewApplication(application, secret);
  }

  @Get(':id')
  @Access({ admin: true })
  @Returns(ApplicationRecord)
  async find(@Params() { id }: ApplicationPath): Promise<ApplicationRecord> {
    const application = await this.queries.find(id);
    if (application.ownerId !== null) throw notFound('Application');
    return presentApplication(application);
  }

  @Put(':id')
  @Access({ admin: true, makesCredential: true })
  @Returns(ApplicationRecord)
  async update(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() { id, ...params }: UpdateApplicationParams,
  ): Promise<ApplicationRecord> {
    const { redirect_uri: redirectUris, refresh_grace_period_seconds: refreshGracePeriodSeconds } = params;
    const { name, scopes, confidential, trusted } = params;
    const changes = { name, redirectUris, scopes, confidential, trusted, refreshGracePeriodSeconds };
    requireChange(changes);
    assertCovers(credential, scopes ?? []);
    return presentApplication(await this.applications.update(id, ofInstance(credential), changes, actor));
  }

  @Post(':id/renew-secret')
  @Access({ admin: true, makesCredential: true })
  @Returns(NewApplicationRecord, 201)
  async renewSecret(
    @CurrentActor() actor: Actor,
    @CurrentCaller() { credential }: Caller,
    @Params() { id }: ApplicationPath,
  ): Promise<NewApplicationRecord> {
    const { application, secret } = await this.applications.renewSecret(id, ofInstance(credential), actor);
    return presentNewApplication(application, secret);
  }

  @Delete(':id')
  @Access({ admin: true })
  @ReturnsNothing()
  async remove(
    @CurrentActor() actor: Actor,
    @Params() { id }: ApplicationPath,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.applications.remove(
      id,
      (application) => {
        assertOfInstance(application);
        unmodified(application.updatedAt);
      },
      actor,
    );
  }
}

function assertOfInstance({ ownerId }: OauthApplication): void {
  if (ownerId !== null) throw notFound('Application');
}

/** Asserts that an application is one of the instance, and that the credential covers its scopes. @throws 404, 403 */
const ofInstance =
  (credential: Credential | null): AssertManaged =>
  (application) => {
    assertOfInstance(application);
    assertCovers(credential, application.scopes);
  };
