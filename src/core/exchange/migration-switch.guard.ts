import { Injectable, type CanActivate } from '@nestjs/common';
import { HttpError } from '#kernel/http/errors.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';

/** Without the setting `bulk_import_enabled` nothing can be imported or exported (`ops.md` 1.1). */
@Injectable()
export class MigrationSwitchGuard implements CanActivate {
  constructor(private readonly settings: SettingsService) {}

  canActivate(): boolean {
    if (!this.settings.values.bulk_import_enabled) throw new HttpError(404, { message: '404 Not Found' });
    return true;
  }
}
