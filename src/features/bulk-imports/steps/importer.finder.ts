import { Injectable } from '@nestjs/common';
import type { UserCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { seesInternalSql } from '#core/users/person.sql.js';
import type { Entity } from '../bulk-import.js';
import { IMPORTS_AS_ADMIN } from '../engine/importer.sql.js';
import { DestinationRefused } from './destination-refused.js';

const FIND = `select u.id, u.username, u.name, u.state, ${IMPORTS_AS_ADMIN} as admin, not ${seesInternalSql('u')} as external, u.user_type as "userType"
  from bulk_imports i join users u on u.id = i.user_id where i.id = $1 and ${isActiveSql('u')}`;

/** Finds the importing user as a caller with rights. */
@Injectable()
export class ImporterFinder {
  constructor(
    private readonly database: ReadDatabase,
    private readonly settings: SettingsService,
  ) {}

  /**
   * Returns the caller for the importing user, with the present rights. @throws DestinationRefused if the
   * user is no longer active
   */
  async callerOf({ importId }: Pick<Entity, 'importId'>): Promise<UserCaller> {
    const actor = await this.database.one<Actor>(FIND, [importId]);
    if (!actor) throw new DestinationRefused('The importing user is no longer active');
    return {
      actor,
      owner: actor,
      credential: null,
      sudo: null,
      tier: this.settings.tier,
      subject: null,
      role: actor.admin ? Role.Admin : Role.None,
    };
  }
}
