import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { metricsText } from '#kernel/cluster/all-metrics.js';
import { Config } from '#kernel/config/config.js';
import { Networks, clientAddress } from '#kernel/http/client-address.js';
import { unknownRoute } from '#kernel/http/errors.js';
import { metrics } from '#kernel/log/metrics.js';
import { HealthChecks } from './health-checks.js';
import { ShutdownState } from './shutdown-state.js';

type Body = Record<string, unknown>;

/** All paths of this controller. */
export const PROBE_PATHS = ['/-/health', '/-/liveness', '/-/readiness', '/-/metrics'] as const;

/** Probes and metrics. Internal details are for the addresses of METRICS_ALLOWLIST; others get 404. */
@Controller('-')
export class HealthController {
  private readonly trusted: Networks;
  private readonly allowed: Networks;

  constructor(
    config: Config,
    private readonly checks: HealthChecks,
    private readonly shutdown: ShutdownState,
  ) {
    this.trusted = new Networks(config.TRUSTED_PROXIES);
    this.allowed = new Networks(config.METRICS_ALLOWLIST);
  }

  /** Checks nothing: this process responds. */
  @Get('health')
  @Access({ credential: 'operator' })
  health(@Res({ passthrough: true }) response: Response): Body {
    response.setHeader('Cache-Control', 'no-store');
    return { status: 'ok' };
  }

  /** Whether the process should keep running; also true while it shuts down. */
  @Get('liveness')
  @Access({ credential: 'operator' })
  liveness(@Res({ passthrough: true }) response: Response): Body {
    response.setHeader('Cache-Control', 'no-store');
    return { status: 'ok' };
  }

  /** Whether requests should be sent here; with `all`, whether all of them would succeed, and the state of each dependency. */
  @Get('readiness')
  @Access({ credential: 'operator' })
  async readiness(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query('all') all: unknown,
  ): Promise<Body> {
    this.requireAllowed(request);
    response.setHeader('Cache-Control', 'no-store');
    if (this.shutdown.isStopping) return unready(response, { status: 'stopping' });
    if (all !== '1' && all !== 'true')
      return (await this.checks.isReady()) ? { status: 'ok' } : unready(response, { status: 'error' });
    const { isComplete, checks } = await this.checks.run();
    return isComplete ? { status: 'ok', checks } : unready(response, { status: 'error', checks });
  }

  /** All metrics in Prometheus format. */
  @Get('metrics')
  @Access({ credential: 'operator' })
  async metrics(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<string> {
    this.requireAllowed(request);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Type', metrics.contentType);
    return metricsText();
  }

  private requireAllowed(request: Request): void {
    if (!this.allowed.includes(clientAddress(request, this.trusted))) throw unknownRoute();
  }
}

function unready(response: Response, body: Body): Body {
  response.status(503).setHeader('Retry-After', '5');
  return { message: '503 Service Unavailable', ...body };
}
