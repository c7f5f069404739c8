import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { UserCaller, Actor } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import { Links } from '#kernel/http/links.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { requestContext } from '#kernel/log/request-context.js';
import { CreateSnippet } from './writes/create-snippet.use-case.js';
import { SnippetFinder } from './access/snippet.finder.js';
import { RemoveSnippets } from './writes/remove-snippets.use-case.js';
import { SnippetRawService } from './files/snippet-raw.service.js';
import { Snippet } from './snippet.entity.js';
import { presentSnippet, type SnippetRecord } from './snippet.record.js';
import type { CreateSnippetParams, FindSnippetFileParams, UpdateSnippetParams } from './snippets.params.js';
import { SnippetsQueries } from './snippets.queries.js';
import { UpdateSnippet } from './writes/update-snippet.use-case.js';
import type { UserAgentDetailRecord } from './user-agent-detail.record.js';

const MAX_USER_AGENT = 500;

/**
 * Operations of both sets of routes: with a project, only on the snippets of that project. @throws 404 if the
 * caller cannot see the snippet
 */
@Injectable()
export class SnippetActionsService {
  constructor(
    private readonly finder: SnippetFinder,
    private readonly creation: CreateSnippet,
    private readonly changes: UpdateSnippet,
    private readonly removal: RemoveSnippets,
    private readonly files: SnippetRawService,
    private readonly queries: SnippetsQueries,
    private readonly transactions: Transactions,
    private readonly links: Links,
  ) {}

  async find(actor: Actor | null, id: number, projectId?: number): Promise<SnippetRecord> {
    const { row } = await this.finder.toRead(id, actor, projectId);
    return presentSnippet(row, actor?.admin === true, this.links);
  }

  /** Creates a snippet of a project or a personal one. */
  async create(
    caller: UserCaller,
    projectId: number | null,
    params: CreateSnippetParams,
    userAgent: string | undefined,
  ): Promise<SnippetRecord> {
    const origin = {
      userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      ipAddress: requestContext.getStore()?.remoteIp ?? null,
    };
    const id = await this.creation.run(caller, projectId, params, origin);
    return this.find(caller.actor, id);
  }

  /** Updates a snippet. @throws 403 if the caller can only read it */
  async update(caller: UserCaller, params: UpdateSnippetParams, projectId?: number): Promise<SnippetRecord> {
    const { snippet_id: id } = params;
    const found = await this.finder.toWrite(id, caller.actor, projectId);
    await this.changes.run(caller, found, params);
    return this.find(caller.actor, id, projectId);
  }

  /** Removes a snippet. @throws 403 if the caller can only read it, 412 */
  async remove(actor: Actor, id: number, unmodified: UnmodifiedCheck, projectId?: number): Promise<void> {
    await this.finder.toWrite(id, actor, projectId);
    await this.transactions.run(async (tx) => {
      const snippet = await tx.findOne(Snippet, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!snippet) throw notFound('Snippet');
      unmodified(snippet.updatedAt);
      await this.removal.remove(tx, [id]);
    });
  }

  /** Sends the first file. */
  async raw(response: Response, actor: Actor | null, id: number, projectId?: number): Promise<FileBody> {
    const { row } = await this.finder.toRead(id, actor, projectId);
    return this.files.first(response, row);
  }

  /** Sends any file of any version. */
  async rawFile(
    response: Response,
    actor: Actor | null,
    params: FindSnippetFileParams,
    projectId?: number,
  ): Promise<FileBody> {
    const { row } = await this.finder.toRead(params.snippet_id, actor, projectId);
    return this.files.file(response, row, params);
  }

  /** Returns the client that created a snippet. */
  async userAgentDetail(actor: Actor, id: number, projectId?: number): Promise<UserAgentDetailRecord> {
    await this.finder.toRead(id, actor, projectId);
    const origin = await this.queries.origin(id);
    if (!origin) throw notFound('Snippet');
    return { ...origin, akismet_submitted: false };
  }
}
