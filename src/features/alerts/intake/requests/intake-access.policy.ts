import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isTokenOf } from '#kernel/crypto/tokens.js';
import { forbidden, notFound, unauthorized, unknownRoute } from '#kernel/http/errors.js';
import { rateLimitHeaders } from '#kernel/rate-limit/rate-limit-headers.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import {
  IntegrationLookupQueries,
  type FoundIntegration,
} from '../../integrations/keys/integration-lookup.queries.js';
import type { AlertSource } from '../alert-intake.service.js';
import { readAlertKey } from './alert-key.js';
import { readIntakeUrl } from './intake-url.js';

/** A payload that may be read. */
export interface AdmittedPayload {
  readonly project: { readonly id: number };
  readonly integration: AlertSource;
}

const THROTTLE = 'alert_rate_limit_per_minute';
const PERIOD_SECONDS = 60;

/** Compared with if there is no key, so that both cases take the same time; no key has this digest. */
const NO_DIGEST = Buffer.alloc(32);

/** Decides whose payloads are accepted, before reading any bytes. */
@Injectable()
export class IntakeAccessPolicy {
  constructor(
    private readonly integrations: IntegrationLookupQueries,
    private readonly settings: SettingsService,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Admits a payload. @throws 404 for an unknown project, 401 without the key of this integration, 403 if it
   * is inactive, the project is archived or its monitoring disabled, 429
   */
  async admit(request: Request, response: Response): Promise<AdmittedPayload> {
    const found = await this.find(request.path);
    const { projectId, isShut, integrationId, type, active, keyDigest } = found;
    const key = readAlertKey(request);
    const isRight = isTokenOf(keyDigest ?? NO_DIGEST, key ?? '');
    if (!isRight || key === null || keyDigest === null || integrationId === null || type === null)
      throw unauthorized();
    if (active !== true || isShut) throw forbidden();
    await this.count(projectId, response);
    return { project: { id: projectId }, integration: { id: integrationId, type } };
  }

  private async find(path: string): Promise<FoundIntegration> {
    const targets = readIntakeUrl(path);
    if (targets.length === 0) throw unknownRoute();
    for (const { fullPath, identifier } of targets) {
      const found = await this.integrations.find(fullPath, identifier);
      if (found) return found;
    }
    throw notFound('Project');
  }

  /** Counts only senders with a valid key, so that others cannot use up the rate limit of a project. */
  private async count(projectId: number, response: Response): Promise<void> {
    const { alert_rate_limit_per_minute: limit, rate_limiting_response_text: text } = this.settings.values;
    if (limit === 0) return;
    const result = await this.limiter.hit(THROTTLE, `project:${projectId}`, limit, PERIOD_SECONDS);
    if (!result.allowed) throw tooManyRequests(THROTTLE, result, PERIOD_SECONDS, text);
    for (const [header, value] of Object.entries(rateLimitHeaders(THROTTLE, result, PERIOD_SECONDS)))
      response.setHeader(header, value);
  }
}
