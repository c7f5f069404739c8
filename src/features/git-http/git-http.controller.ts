import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { unknownRoute } from '#kernel/http/errors.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { LongRunning } from '#kernel/http/routes/long-running.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import { GitAccessPolicy, type Admission, type GitService } from './access/git-access.policy.js';
import { TEXTS } from './access/git-texts.js';
import { readGitUrl, type GitUrl } from './access/git-url.js';
import { beginAnswer, notAllowed, sendRefusal } from './git-answer.js';
import { AdvertisementService } from './packs/advertisement.service.js';
import { COMMANDS, serviceOf } from './packs/git-command.js';
import { GitLimit } from './packs/git.limit.js';
import { FetchService } from './packs/fetch.service.js';
import { GitRepositoriesService } from './packs/git-repositories.service.js';
import { isProbe } from './push/probe.js';
import { PushService } from './push/push.service.js';
import { pusherFor } from './push/pusher-for.js';
import { presentAdmission } from './access/present-admission.js';
import { READ_ONLY } from '#core/repositories/pushes/push-errors.js';

/** Git's smart protocol over HTTP: below the path of each repository (`ops.md` 3.1). */
@Controller()
export class GitHttpController {
  constructor(
    private readonly access: GitAccessPolicy,
    private readonly repositories: GitRepositoriesService,
    private readonly advertisement: AdvertisementService,
    private readonly fetches: FetchService,
    private readonly pushes: PushService,
    private readonly limits: GitLimit,
  ) {}

  /** Advertises refs and capabilities: the first request of every clone, fetch and push. */
  @Get('*repository/info/refs')
  @Access({ credential: 'git-basic' })
  @LongRunning()
  async refs(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const url = urlOf(request, '/info/refs');
    if (!url.hasSuffix) {
      await request.countAnonymous?.();
      moveToSuffix(request, response);
      return;
    }
    await answered(request, response, async () => {
      const service = serviceOf(request);
      if (service === null || request.method === 'HEAD') throw notAllowed(TEXTS.command);
      const { subject } = await this.access.admit(request, url.target, service);
      const repository =
        service === 'pull'
          ? await this.repositories.forPull(subject)
          : await this.repositories.forPush(subject);
      if (service === 'push' && repository.readOnly) throw notAllowed(READ_ONLY);
      await this.advertisement.send(request, response, service, repository);
    });
  }

  /** Serves lists of refs, and packs for clones and fetches. */
  @Post('*repository/git-upload-pack')
  @Access({ credential: 'git-basic' })
  @RawBody()
  @LongRunning()
  async fetch(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const url = servedUrl(request, 'pull');
    await answered(request, response, async () => {
      const admit = (): Promise<Admission> => this.access.admit(request, url.target, 'pull');
      const admission = await admit();
      const repository = await this.repositories.forPull(admission.subject);
      const confirm = presentAdmission(admission, admit, this.limits.freshMs);
      await this.fetches.serve(request, response, repository, admission.notice, confirm);
    });
  }

  /**
   * Receives a push. One during a storage move is rejected by the hook: only then git shows its user the
   * reason.
   */
  @Post('*repository/git-receive-pack')
  @Access({ credential: 'git-basic' })
  @RawBody()
  @LongRunning()
  async push(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const url = servedUrl(request, 'push');
    await answered(request, response, async () => {
      const admit = (): Promise<Admission> => this.access.admit(request, url.target, 'push');
      const admission = await admit();
      if (await isProbe(request, this.limits.idleMs)) {
        beginAnswer(response, 'application/x-git-receive-pack-result');
        response.end();
        return;
      }
      const repository = await this.repositories.forPush(admission.subject);
      const user = pusherFor(admission, admit, this.limits.freshMs);
      await this.pushes.serve(request, response, repository, user, admission.notice);
    });
  }
}

/** Runs a handler; errors are sent in git's form. */
async function answered(request: ApiRequest, response: Response, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    sendRefusal(response, (await request.judgeFailure?.(error)) ?? error);
  }
}

/** Parses the URL of a request. @throws 404 for paths that cannot be a repository */
function urlOf({ path }: Request, end: string): GitUrl {
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  if (bare.startsWith('/api/') || bare.startsWith('/-/')) throw unknownRoute();
  return readGitUrl(bare.slice(0, -end.length));
}

/** Parses it where only the full form of the URL is served. */
function servedUrl(request: Request, service: GitService): GitUrl {
  const url = urlOf(request, `/git-${COMMANDS[service]}`);
  if (!url.hasSuffix) throw unknownRoute();
  return url;
}

/**
 * Redirects with a relative URL, which works behind any proxy and names no host: `/a/b/info/refs` leads to
 * `/a/b.git/info/refs`.
 */
function moveToSuffix(request: Request, response: Response): void {
  const [path = '', query] = request.originalUrl.split('?', 2);
  const name =
    path
      .replace(/\/info\/refs\/?$/, '')
      .split('/')
      .pop() ?? '';
  const up = path.endsWith('/') ? '../../../' : '../../';
  response.statusCode = 301;
  response.setHeader('Location', `${up}${name}.git/info/refs${query === undefined ? '' : `?${query}`}`);
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end();
}
