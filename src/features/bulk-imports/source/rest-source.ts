import { isPlainObject } from '#kernel/http/plain-object.js';
import type { OutboundUrls } from '#kernel/outbound/outbound-urls.js';
import type { Portable } from '#core/exchange/relation-export.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { exportStatusIn } from './export-status.js';
import { gitAccessOf, gitProof, type GitAccess } from './git-access.js';
import { retryAfterMs } from './retry-after.js';
import type { ExportStatus, SourceApi, SourceQuery } from './source-api.js';
import { SourceRefused } from './source-errors.js';
import { sourceError, SourceHttp, type SourceContext } from './source-http.js';
import { sourcePages } from './source-pages.js';

/** Limit of bytes read of an error response to git. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Client of a source by its v4 API: Forgeplane, or any compatible server. */
export class RestSource implements SourceApi {
  private readonly http: SourceHttp;

  constructor(
    private readonly urls: OutboundUrls,
    private readonly context: SourceContext,
  ) {
    this.http = new SourceHttp(context);
  }

  get url(): string {
    return this.context.base;
  }

  async get(path: string, query?: SourceQuery): Promise<SourceRecord> {
    const { value } = await this.http.json('GET', path, query);
    if (!isPlainObject(value)) throw new SourceRefused('The source instance did not respond with an object');
    return value;
  }

  async count(path: string, query: SourceQuery = {}): Promise<number | null> {
    const { headers } = await this.http.json('GET', path, { ...query, per_page: 1 });
    const total = headers['x-total'];
    return typeof total === 'string' && /^\d{1,15}$/.test(total) ? Number(total) : null;
  }

  pages(path: string, query: SourceQuery = {}): AsyncIterable<readonly SourceRecord[]> {
    return sourcePages((page) => this.http.json('GET', path, page), query, this.context.limits.pages);
  }

  async requestExport(of: Portable, id: number): Promise<void> {
    await this.http.json('POST', exportPath(of, id), {}, { batched: true });
  }

  async exportStatus(of: Portable, id: number, relation: string): Promise<ExportStatus | null> {
    try {
      const { value } = await this.http.json('GET', `${exportPath(of, id)}/status`, { relation });
      return exportStatusIn(value, relation);
    } catch (error) {
      if (error instanceof SourceRefused && error.status === 404) return null;
      throw error;
    }
  }

  /**
   * For projects, v4 servers reject a file with an unknown name with 400, and a missing file with 404. They
   * also reject a batched file with 400, but then there would be a status.
   */
  async neverExports(of: Portable, id: number, relation: string): Promise<boolean> {
    if (of !== 'project') return false;
    try {
      await this.http.json('GET', `${exportPath(of, id)}/download`, { relation });
      return false;
    } catch (error) {
      if (!(error instanceof SourceRefused)) throw error;
      return error.status === 400 && (await this.exportStatus(of, id, relation)) === null;
    }
  }

  async download(
    of: Portable,
    id: number,
    relation: string,
    batch: number | null,
    file: string,
    withinMs: number,
  ): Promise<void> {
    const query = batch === null ? { relation } : { relation, batched: true, batch_number: batch };
    await this.http.file(`${exportPath(of, id)}/download`, query, file, withinMs);
  }

  async picture(path: string): Promise<Buffer | null> {
    try {
      return await this.http.picture(path);
    } catch (error) {
      if (error instanceof SourceRefused && error.status === 404) return null;
      throw error;
    }
  }

  async gitAccess(path: string): Promise<GitAccess> {
    const { token, limits } = this.context;
    try {
      return gitAccessOf(await this.urls.check(this.gitUrl(path)), token);
    } catch (error) {
      throw sourceError(error, limits);
    }
  }

  async gitPauseMs(path: string): Promise<number> {
    const { http, token, limits, signal } = this.context;
    const url = `${this.gitUrl(path)}/info/refs?service=git-upload-pack`;
    const { requestMs: timeoutMs, idleMs } = limits;
    const request = { url, timeoutMs, idleMs, signal, maxBytes: MAX_REFUSAL_BYTES };
    const headers = { 'Git-Protocol': 'version=2' };
    try {
      const answer = await http.request({
        ...request,
        headers,
        credentials: { Authorization: gitProof(token) },
      });
      return retryAfterMs(answer.headers['retry-after'], limits);
    } catch {
      return limits.retryMs;
    }
  }

  private gitUrl(path: string): string {
    return `${this.context.base}/${path.split('/').map(encodeURIComponent).join('/')}.git`;
  }
}

const exportPath = (of: Portable, id: number): string => `/${of}s/${id}/export_relations`;
