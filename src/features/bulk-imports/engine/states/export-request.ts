import { Injectable } from '@nestjs/common';
import { integerIn } from '#core/transfer/source-record.js';
import { SourceRefused } from '../../source/source-errors.js';
import type { EntityRow } from '../entity.row.js';
import { ImportSource } from '../runs/import-source.js';

/** Has a source write an entity to files. */
@Injectable()
export class ExportRequest {
  constructor(private readonly sources: ImportSource) {}

  /** The id of the entity at its source. @throws SourceBusy @throws SourceRefused */
  async send(entity: EntityRow, signal: AbortSignal): Promise<number> {
    const source = this.sources.open(entity, signal);
    const path = `/${entity.of}s/${encodeURIComponent(entity.sourceFullPath)}`;
    const sourceId = integerIn(
      await source.get(path, entity.of === 'group' ? { with_projects: false } : {}),
      'id',
      1,
    );
    if (sourceId === null) throw new SourceRefused(`The source gives no id of '${entity.sourceFullPath}'`);
    await source.requestExport(entity.of, sourceId);
    return sourceId;
  }
}
