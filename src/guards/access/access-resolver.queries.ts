import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { digestToken, isTokenOf } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { invalidToken, unauthorized } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { SessionUseService } from '#core/sessions/session-use.service.js';
import { TokenFamiliesService } from '#core/tokens/rotation/token-families.service.js';
import { TokenUseService } from '#core/tokens/token-use.service.js';
import { accessStatement, type AccessRow, type StatementKind } from './access-statement.js';
import { callerOfRow } from './caller-of-row.js';
import { findSudo } from '../credentials/credentials.js';
import { comesFromUs } from '../credentials/form-token.js';
import type { RouteInfo } from './route-info.js';
import { SecondFactorPolicy } from '../second-factor.policy.js';
import { subjectRef } from './subject-ref.js';

/** A credential to look up, for sessions with their CSRF token. */
export type Lookup =
  /**
   * A personal, project or group access token; or an OAuth access token, which may turn out to be a personal
   * one.
   */
  | { readonly kind: 'token' | 'oauth'; readonly secret: string }
  | { readonly kind: 'session'; readonly secret: string; readonly csrf: string | null }
  /** The token of a CI job. */
  | { readonly kind: 'job'; readonly secret: string };

/** Messages of `auth-core.md` 2.1. */
const EXPIRED = 'Token is expired. You can either do re-authorization or token refresh.';
const REVOKED = 'Token was revoked. You have to re-authorize from the user.';

/** Whether the request rotates an access token. */
const isRotation = ({ method, route }: ApiRequest): boolean =>
  method === 'POST' && (route as { path: string }).path.endsWith('/rotate');

const isRead = ({ method }: ApiRequest): boolean => method === 'GET' || method === 'HEAD';

/** Runs the single statement that all guards rely on, and validates the credential itself. */
@Injectable()
export class AccessResolverQueries {
  constructor(
    private readonly database: ReadDatabase,
    private readonly settings: SettingsService,
    private readonly tokenUse: TokenUseService,
    private readonly sessionUse: SessionUseService,
    private readonly families: TokenFamiliesService,
    private readonly secondFactor: SecondFactorPolicy,
    private readonly links: Links,
  ) {}

  /**
   * Resolves the caller and the subject. @throws 401 for a credential that is unknown, expired or revoked;
   * with null as lookup, none was sent
   */
  async resolve(request: ApiRequest, info: RouteInfo, lookup: Lookup | null): Promise<Caller> {
    const sudo = lookup && lookup.kind !== 'job' && info.rule.page === undefined ? findSudo(request) : null;
    const subject = subjectRef(request, info);
    const kind: StatementKind = { credential: lookup?.kind ?? 'none', sudo: sudo !== null, subject };
    const values: unknown[] = [];
    if (lookup) values.push(digestToken(lookup.secret));
    if (sudo !== null) values.push(sudo.includes('\0') ? '' : sudo.slice(0, 255));
    if (subject) values.push(subject.value);
    const [row] = await this.database.short<AccessRow>(accessStatement(kind), values);
    if (!row) throw new Error('The settings row is missing');
    const reloading = this.settings.refresh(row.version);
    if (reloading) await reloading;
    const { admin_mode: adminMode } = this.settings.values;
    if (!lookup) return callerOfRow(row, kind, null, adminMode);
    // Browsers keep sending a session cookie forever, so an invalid session counts as none.
    if (lookup.kind === 'session' && (row.o_id === null || row.expired))
      return subject ? this.resolve(request, info, null) : this.nobody();
    if (lookup.kind === 'oauth' && row.cred_id === null)
      return this.resolve(request, info, { kind: 'token', secret: lookup.secret });
    const isForeign = lookup.kind === 'session' && !isRead(request) && !comesFromUs(request, this.links.base);
    if (isForeign && info.rule.page === undefined) throw unauthorized();
    if (isRevoked(row, lookup, request)) {
      if (lookup.kind === 'token' && isRotation(request))
        await this.families.revokeOfRefused(row.cred_id as number);
      throw invalidToken(REVOKED);
    }
    if (row.unused) this.noteUse(row, lookup);
    if (lookup.kind === 'job') return callerOfRow(row, kind, 'job', adminMode);
    if (lookup.kind === 'token') return callerOfRow(row, kind, 'personal', adminMode);
    if (lookup.kind === 'oauth') return callerOfRow(row, kind, 'oauth', adminMode);
    return this.secondFactor.judge(callerOfRow(row, kind, 'session', adminMode), row);
  }

  /**
   * The caller of a route that requires no user's credential: anonymous, usually without a database query.
   */
  nobody(): Caller | Promise<Caller> {
    const reloading = this.settings.keepFresh();
    return reloading ? reloading.then(() => this.anonymous()) : this.anonymous();
  }

  /**
   * The anonymous caller by the settings last read: probes and metrics must work while the database is
   * unavailable.
   */
  anonymous(): Caller {
    const { tier } = this.settings;
    return { actor: null, owner: null, credential: null, sudo: null, tier, subject: null, role: Role.None };
  }

  private noteUse(row: AccessRow, lookup: Lookup): void {
    const id = row.cred_id as number;
    if (lookup.kind === 'token') this.tokenUse.record('personal_access_tokens', id, row.o_id as number);
    else if (lookup.kind === 'oauth') this.tokenUse.record('oauth_tokens', id, row.o_id as number);
    else this.sessionUse.record(id);
  }
}

/**
 * Validates the credential: true if it was revoked. @throws 401 for one that is unknown, expired, or must not
 * be used this way
 */
function isRevoked(row: AccessRow, lookup: Lookup, request: ApiRequest): boolean {
  if (row.cred_id === null || row.o_id === null) throw unauthorized();
  if (lookup.kind === 'session') {
    if (!(isRead(request) || mayWrite(row, lookup.csrf))) throw unauthorized();
    return false;
  }
  if (row.expired && lookup.kind === 'job') throw unauthorized();
  if (row.expired) throw invalidToken(EXPIRED);
  return row.revoked === true;
}

const mayWrite = ({ csrf_digest: digest }: AccessRow, csrf: string | null): boolean =>
  csrf !== null && digest !== null && isTokenOf(digest, csrf);
