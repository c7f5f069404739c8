import { Injectable } from '@nestjs/common';
import { digestToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { JobTokensPort, type RunningJob } from '#core/repositories/job-tokens.port.js';
import { TokenUseService } from '#core/tokens/token-use.service.js';
import { denied } from '../git-answer.js';
import type { BasicCredentials } from './basic-credentials.js';
import { gitAccessStatement, type CallerKey, type GitAccessRow } from './git-access-statement.js';
import { actorOf, isActive, type GitCaller } from './git-caller.js';
import { GitPasswordsService } from './git-passwords.service.js';
import type { GitTarget } from './git-url.js';

/** Usernames with which git sends only tokens: any other secret with them is not tried as a password. */
const JOB_USER = 'gitlab-ci-token';
const OAUTH_USER = 'oauth2';

/** Authenticates callers, by one statement that also finds their target. */
@Injectable()
export class GitAuthenticationService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly settings: SettingsService,
    private readonly passwords: GitPasswordsService,
    private readonly jobs: JobTokensPort,
    private readonly tokenUse: TokenUseService,
  ) {}

  /** Returns an anonymous caller with a target. */
  async nobody(target: GitTarget): Promise<GitCaller> {
    const row = await this.find('none', null, target);
    return { kind: 'nobody', actor: null, scopes: [], job: null, row };
  }

  /** Authenticates credentials; a null target is an impossible one. @throws 401, 429 */
  async resolve(basic: BasicCredentials, target: GitTarget | null): Promise<GitCaller> {
    const { login, password } = basic;
    if (login === '' || password === '') throw denied();
    // Tools send any token under a fixed username: the token determines its kind. The username only
    // determines what to look for first.
    const job = login === JOB_USER ? await this.jobs.find(password) : null;
    if (job) return this.job(job, target);
    const row = await this.find('secret', digestToken(password), target);
    if (row.cred_kind !== null) return this.token(row, login);
    const running = login === JOB_USER ? null : await this.jobs.find(password);
    if (running) return this.job(running, target);
    if (login === JOB_USER || login === OAUTH_USER) throw denied();
    const userId = await this.passwords.prove(basic);
    const own = await this.find('user', userId, target);
    return this.user(own, 'password', ['api']);
  }

  private token(row: GitAccessRow, login: string): GitCaller {
    const scopes = row.scopes ?? [];
    if (row.useless) throw denied();
    if (row.cred_kind === 'deploy') {
      if (login !== row.deploy_username) throw denied();
      return { kind: 'deploy', actor: null, scopes, job: null, row };
    }
    if (row.impersonation && !this.settings.values.impersonation_enabled) throw denied();
    const isOauth = row.cred_kind === 'oauth';
    const caller = this.user(row, isOauth ? 'oauth' : 'personal', scopes);
    const table = isOauth ? 'oauth_tokens' : 'personal_access_tokens';
    if (row.unused) this.tokenUse.record(table, row.cred_id, row.o_id as number);
    return caller;
  }

  private async job(job: RunningJob, target: GitTarget | null): Promise<GitCaller> {
    const row = await this.find('user', job.userId, target);
    return { ...this.user(row, 'job', []), job };
  }

  private user(row: GitAccessRow, kind: GitCaller['kind'], scopes: readonly string[]): GitCaller {
    if (row.o_id === null || !isActive(row)) throw denied();
    const bringsAdmin = !this.settings.values.admin_mode || scopes.includes('admin_mode');
    return { kind, actor: actorOf(row, bringsAdmin), scopes, job: null, row };
  }

  private async find(key: CallerKey, caller: unknown, target: GitTarget | null): Promise<GitAccessRow> {
    const path = target?.kind === 'snippet' ? target.projectPath : target?.fullPath;
    const kind = target?.kind === 'wiki' ? 'wiki' : 'code';
    const values = [...(key === 'none' ? [] : [caller]), path ?? '', kind];
    const row = await this.database.always<GitAccessRow>(gitAccessStatement(key), values);
    const reloading = this.settings.refresh(row.version);
    if (reloading) await reloading;
    return row;
  }
}
