import { Injectable } from '@nestjs/common';
import { digestToken, safeEqual } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden } from '#kernel/http/errors.js';
import type { RunnerContainer } from '#core/ci/runners/runners.service.js';
import { RegistrationTokenService } from '#core/instance/settings/registration-token.service.js';

const FIND = `select id, true as is_project from projects where runners_token_digest = $1 and not pending_delete
  union all select id, false from namespaces where runners_token_digest = $1 and type = 'Group' and not pending_delete`;

/** Finds the owner of a registration token. */
@Injectable()
export class RegistrationContainersService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly instance: RegistrationTokenService,
  ) {}

  /** Returns the owner. @throws 403 if the token is unknown */
  async of(token: string): Promise<RunnerContainer> {
    const row = await this.database.one<{ id: number; is_project: boolean }>(FIND, [digestToken(token)]);
    if (row?.is_project) return { type: 'project_type', projectId: row.id };
    if (row) return { type: 'group_type', groupId: row.id };
    const instance = await this.instance.current();
    if (instance === null || !safeEqual(instance, token)) throw forbidden('invalid token supplied');
    return { type: 'instance_type' };
  }
}
