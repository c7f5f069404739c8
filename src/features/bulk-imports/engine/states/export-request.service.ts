import { Injectable } from '@nestjs/common';
import { integerIn } from '#core/exchange/source-record.js';
import { SourceRefused } from '../../source/source-errors.js';
import type { EntityRow } from '../entity.row.js';
import { ImportSourceService } from '../runs/import-source.service.js';

/** Requests the export of entities from their source. */
@Injectable()
export class ExportRequestService {
  constructor(private readonly sources: ImportSourceService) {}

  /** Returns the id of the entity at its source. @throws SourceBusy @throws SourceRefused */
  async send(entity: EntityRow, signal: AbortSignal): Promise<number> {
    const source = this.sources.open(entity, signal);
    const path = `/${entity.of}s/${encodeURIComponent(entity.sourceFullPath)}`;
    const found = await source.get(path, entity.of === 'group' ? { with_projects: false } : {});
    const sourceId = integerIn(found, 'id', 1);
    // A path that looks like a number may be taken for the id of another object.
    const given = found[entity.of === 'group' ? 'full_path' : 'path_with_namespace'];
    const isOther = /^\d+$/.test(entity.sourceFullPath) && given !== entity.sourceFullPath;
    if (sourceId === null || isOther)
      throw new SourceRefused(`The source returned no id for '${entity.sourceFullPath}'`);
    await source.requestExport(entity.of, sourceId);
    return sourceId;
  }
}
