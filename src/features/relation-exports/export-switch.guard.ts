import { Injectable, type CanActivate } from '@nestjs/common';
import { NotFound } from '#kernel/http/errors.js';
import { Settings } from '#core/instance/settings.service.js';

/** Without the setting `bulk_import_enabled` nothing is exported (`ops.md` 1.1). */
@Injectable()
export class ExportSwitch implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(): boolean {
    if (!this.settings.values.bulk_import_enabled) throw NotFound('Export');
    return true;
  }
}
