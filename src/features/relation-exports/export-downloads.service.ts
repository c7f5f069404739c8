import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Transactions } from '#kernel/database/transactions.js';
import { badRequest, invalid, notFound } from '#kernel/http/errors.js';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import { ObjectAnswers } from '#kernel/object-storage/object-answers.js';
import { ObjectNotFound } from '#kernel/object-storage/object-storage.js';
import type { DownloadExportParams } from './relation-export.params.js';
import { RelationExportsQueries, type ExportRow, type ExportsOf } from './relation-exports.queries.js';
import { ExportedRelationsService } from './relations/exported-relations.service.js';

/** Downloads extend the retention by a day; recorded at most once an hour. */
const TOUCH = `update relation_exports set updated_at = now() where id = $1 and updated_at < now() - interval '1 hour'`;

/** Maximum of the column: no relation has such a batch. */
const MAX_BATCH = 2_147_483_647;

const TOGETHER = 'provide all or none of parameters: batched, batch_number';

/** Sends the files of exports. */
@Injectable()
export class ExportDownloadsService {
  constructor(
    private readonly queries: RelationExportsQueries,
    private readonly relations: ExportedRelationsService,
    private readonly objects: ObjectAnswers,
    private readonly transactions: Transactions,
  ) {}

  /** Streams the file of a relation or a batch. @throws 400, 404 */
  async send(
    request: Request,
    response: Response,
    exports: ExportsOf,
    params: DownloadExportParams,
  ): Promise<FileBody> {
    const { batched = false, batch_number: batchNumber } = params;
    const isWhole = batchNumber === undefined;
    if (batched === isWhole) throw invalid({ base: [TOGETHER] });
    const name = params.relation ?? params.search_params?.relation ?? '';
    const relation = this.relations.findOrNull(exports.of, name);
    if (!relation) throw unknownRelation(exports);
    const row = await this.exportOf(exports, name, batched);
    const missing = notFound(isWhole ? 'Export File' : 'Batch');
    if ((batchNumber ?? 1) > MAX_BATCH || (isWhole && row.status !== 'finished')) throw missing;
    const stored = await this.queries.stored(row.id, batchNumber ?? 1);
    if (!stored) throw missing;
    const { object_key: key, size_bytes: size, sha256, updated_at: modifiedAt } = stored;
    await this.transactions.run((tx) => tx.query(TOUCH, [row.id]));
    try {
      const file = {
        key,
        name: `${name}.${relation.extension}.gz`,
        type: 'application/gzip',
        size,
        sha256,
        modifiedAt,
      };
      return await this.objects.send(request, response, file);
    } catch (error) {
      throw error instanceof ObjectNotFound ? notFound(isWhole ? 'Export File' : 'Batch File') : error;
    }
  }

  private async exportOf(exports: ExportsOf, relation: string, batched: boolean): Promise<ExportRow> {
    const [row] = await this.queries.list(exports, relation);
    if (!row) throw notFound('Export');
    if (row.batched !== batched)
      throw badRequest(row.batched ? 'Export is batched' : 'Export is not batched');
    return row;
  }
}

/** Names of project relations are validated, those of groups only looked up (`ops.md` 1.6). */
const unknownRelation = ({ of }: ExportsOf): Error =>
  of === 'project' ? invalid({ relation: ['does not have a valid value'] }) : notFound('Export');
