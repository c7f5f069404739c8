import { Injectable } from '@nestjs/common';
import { integerIn, textIn } from '#core/exchange/source-record.js';
import type { Portable } from '#core/exchange/relation-export.js';
import { Sources, type SourceApi } from './source-api.js';
import { SourceBusy, SourceRefused } from './source-errors.js';

/** An entity requested from a source. */
interface WantedEntity {
  readonly of: Portable;
  readonly sourceFullPath: string;
}

const REQUIREMENTS =
  'Check that the source instance base URL and the personal access token meet the necessary requirements.';
const NOT_A_SOURCE = 'Invalid source URL. Enter only the base URL of the source instance.';
const TOO_OLD = "Unsupported version of the source instance. Minimum supported version is '14'.";
const SWITCHED_OFF =
  'Migration by direct transfer disabled on source or destination instance. Ask an administrator to enable it on both instances and try again.';

const VERSION = /^(\d{1,4})\.(\d{1,4})(?:\.|-|$)/;
const MIN_MAJOR = 14;
/** First version with an endpoint for the scopes of a token. */
const TELLS_SCOPES = [15, 5] as const;

/** Checks a source before a migration (`ops.md` 1.2, points 1 to 5). */
@Injectable()
export class ProbeSource {
  constructor(private readonly sources: Sources) {}

  /**
   * Returns the version of a supported source, and the id of the first entity there; the others are looked up
   * when they are imported. @throws SourceRefused, SourceBusy with a text for the user
   */
  async run(
    url: string,
    token: string,
    entities: readonly WantedEntity[],
    signal: AbortSignal,
  ): Promise<{ readonly version: string; readonly sourceIds: readonly number[] }> {
    const source = this.sources.open(url, token, signal);
    const version = await versionOf(source);
    const [, major, minor] = VERSION.exec(version) ?? [];
    if (major === undefined) throw new SourceRefused(NOT_A_SOURCE);
    if (Number(major) < MIN_MAJOR) throw new SourceRefused(TOO_OLD);
    if (isAtLeast([Number(major), Number(minor)], TELLS_SCOPES)) await assertScope(source);
    const [first] = entities;
    const sourceIds = first ? [await exportableId(source, first)] : [];
    return { version, sourceIds };
  }
}

const isAtLeast = ([major, minor]: readonly [number, number], [a, b]: readonly [number, number]): boolean =>
  major > a || (major === a && minor >= b);

async function versionOf(source: SourceApi): Promise<string> {
  const answer = await said(source.get('/version'), 404).then(
    (found) => found ?? said(source.get('/metadata')),
  );
  const version = answer === null ? null : answer['version'];
  return typeof version === 'string' && version.length <= 100 ? version : '';
}

/**
 * Returns the answer, or null for the statuses `nothing`; other errors about rights mean the same everywhere.
 */
async function said<T>(answer: Promise<T>, ...nothing: readonly number[]): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof SourceBusy && error.kind === 'garbled') throw new SourceRefused(NOT_A_SOURCE);
    if (!(error instanceof SourceRefused)) throw error;
    const { status } = error;
    if (status === 401 || status === 403) throw new SourceRefused(REQUIREMENTS, status);
    if (status !== null && nothing.includes(status)) return null;
    // Without a status the call was not made, or the connection failed: that text is more precise.
    throw status === null && error.message.startsWith('URL is blocked')
      ? error
      : new SourceRefused(NOT_A_SOURCE);
  }
}

async function assertScope(source: SourceApi): Promise<void> {
  const token = await source.get('/personal_access_tokens/self').catch((error: unknown) => {
    throw error instanceof SourceRefused ? new SourceRefused(REQUIREMENTS, error.status) : error;
  });
  const scopes = token['scopes'];
  if (!Array.isArray(scopes) || !scopes.includes('api')) throw new SourceRefused(REQUIREMENTS);
}

async function exportableId(source: SourceApi, { of, sourceFullPath }: WantedEntity): Promise<number> {
  const unknown = `Import failed. '${sourceFullPath}' not found.`;
  const found = await source.get(`/${of}s/${encodeURIComponent(sourceFullPath)}`).catch((error: unknown) => {
    throw error instanceof SourceRefused ? new SourceRefused(unknown, error.status) : error;
  });
  const id = integerIn(found, 'id', 1);
  // A path that looks like a number may be taken for an id.
  const path = textIn(found, of === 'group' ? 'full_path' : 'path_with_namespace', 10_000);
  if (id === null || (path !== null && path.toLowerCase() !== sourceFullPath.toLowerCase()))
    throw new SourceRefused(unknown);
  // Only whether the list is accessible matters.
  await source.count(`/${of}s/${id}/export_relations/status`).catch((error: unknown) => {
    if (!(error instanceof SourceRefused)) throw error;
    throw error.status === 403
      ? new SourceRefused(`Import failed. You don't have permission to export '${sourceFullPath}'.`, 403)
      : new SourceRefused(SWITCHED_OFF, error.status);
  });
  return id;
}
