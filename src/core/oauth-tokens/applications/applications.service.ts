import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import type { AuditAuthor } from '#core/audit/audit-log.service.js';
import { OauthApplication } from './oauth-application.entity.js';
import { OauthAudit } from '../oauth.audit.js';
import { areKnown } from '../oauth-scopes.js';
import { randomHex } from '../oauth-secrets.js';
import { redirectUriProblems } from './redirect-uri.js';
import { OauthTokenRevocationService } from '../oauth-token-revocation.service.js';

/** An application to create. */
export interface NewApplication {
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Names of scopes as sent; validated here. */
  readonly scopes: readonly string[];
  readonly confidential: boolean;
  readonly trusted: boolean;
  /** Null for an application of the instance. */
  readonly ownerId: number | null;
  readonly refreshGracePeriodSeconds: number;
}

/** Changes of an application; undefined for no change. */
export type ApplicationChanges = {
  readonly [Name in keyof Omit<NewApplication, 'ownerId'>]?: NewApplication[Name] | undefined;
};

/** An application with its secret, which is not shown again. */
export interface ApplicationWithSecret {
  readonly application: OauthApplication;
  readonly secret: string;
}

/** Throws unless the caller may manage the application. */
export type AssertManaged = (application: OauthApplication) => void;

/** 258 random bits after the prefix. */
const newSecret = (): string => randomToken('gloas-', 43);

/** Manages applications of users and of the instance. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly revocations: OauthTokenRevocationService,
    private readonly audit: OauthAudit,
  ) {}

  /**
   * Creates an application. @throws 400 for invalid redirect URIs or scopes, with the texts of `auth-core.md`
   * 1.14
   */
  create(values: NewApplication, author: AuditAuthor | null): Promise<ApplicationWithSecret> {
    return this.transactions.run(async (tx) => {
      assertValid(values);
      const secret = newSecret();
      const fields = { ...values, redirectUris: [...values.redirectUris], scopes: unique(values.scopes) };
      const row = tx.create(OauthApplication, {
        ...fields,
        uid: randomHex(),
        secretDigest: digestToken(secret),
      });
      const { id } = await tx.save(row);
      const application = await tx.findOneByOrFail(OauthApplication, { id });
      await this.record(tx, author, application, 'Created OAuth application');
      return { application, secret };
    });
  }

  /**
   * Updates an application; revokes tokens and codes that exceed its new scopes. @throws 404; 400 as `create`
   */
  update(
    id: number,
    assertManaged: AssertManaged,
    changes: ApplicationChanges,
    author: AuditAuthor | null,
  ): Promise<OauthApplication> {
    return this.change(id, assertManaged, async (tx, application) => {
      assertValid(changes);
      const { redirectUris, scopes, ...others } = changes;
      const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
      Object.assign(application, given);
      if (redirectUris) application.redirectUris = [...redirectUris];
      if (scopes) application.scopes = unique(scopes);
      await tx.save(application);
      if (scopes) await this.revocations.beyond(tx, id, application.scopes);
      await this.record(tx, author, application, 'Changed OAuth application');
      return tx.findOneByOrFail(OauthApplication, { id });
    });
  }

  /** Gives an application a new secret; the former one becomes invalid, tokens stay valid. @throws 404 */
  renewSecret(
    id: number,
    assertManaged: AssertManaged,
    author: AuditAuthor | null,
  ): Promise<ApplicationWithSecret> {
    return this.change(id, assertManaged, async (tx, application) => {
      const secret = newSecret();
      await tx.update(OauthApplication, { id }, { secretDigest: digestToken(secret) });
      await this.record(tx, author, application, 'Renewed the secret of OAuth application');
      return { application: await tx.findOneByOrFail(OauthApplication, { id }), secret };
    });
  }

  /** Removes an application with all its codes and tokens. @throws 404 */
  remove(id: number, assertManaged: AssertManaged, author: AuditAuthor | null): Promise<void> {
    return this.change(id, assertManaged, async (tx, application) => {
      await tx.delete(OauthApplication, { id });
      await this.record(tx, author, application, 'Removed OAuth application');
    });
  }

  /** Locks an application for a change. @throws 404 */
  private change<T>(
    id: number,
    assertManaged: AssertManaged,
    work: (tx: Tx, application: OauthApplication) => Promise<T>,
  ): Promise<T> {
    return this.transactions.run(async (tx) => {
      const application = await tx.findOne(OauthApplication, {
        where: { id },
        lock: { mode: 'pessimistic_write' },
      });
      if (!application) throw notFound('Application');
      assertManaged(application);
      return work(tx, application);
    });
  }

  private async record(
    tx: Tx,
    author: AuditAuthor | null,
    application: OauthApplication,
    happened: string,
  ): Promise<void> {
    const message = `${happened} with id ${application.id}`;
    await this.audit.record(tx, author, application.ownerId, application, message);
  }
}

const unique = (scopes: readonly string[]): Scope[] => [...new Set(scopes)] as Scope[];

function assertValid({ redirectUris, scopes }: ApplicationChanges): void {
  const problems: Record<string, string[]> = {};
  const ofUris = redirectUris ? redirectUriProblems(redirectUris) : [];
  if (ofUris.length > 0) problems['redirect_uri'] = ofUris;
  if (scopes && (scopes.length === 0 || !areKnown(scopes)))
    problems['scopes'] = ["doesn't match configured on the server."];
  if (Object.keys(problems).length > 0) throw invalid(problems);
}
