import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import { ObjectAnswers } from '#kernel/object-storage/object-answers.js';
import { ObjectNotFound } from '#kernel/object-storage/object-storage.js';
import type { AvatarKind } from './avatar-kind.js';

interface AvatarRow {
  readonly name: string;
  readonly key: string;
  readonly type: string;
  readonly size: number;
  readonly sha256: string;
  readonly modifiedAt: Date;
}

const find = (
  kind: AvatarKind,
): string => `select a.filename as name, a.object_key as key, a.content_type as type, a.size, a.sha256,
    a.created_at as "modifiedAt" from avatars a
  ${kind === 'user' ? 'join users u on u.id = a.user_id and not u.pending_delete' : ''}
  where a.${kind}_id = $1 and ($2::text is null or a.filename = $2)`;

/** Sends avatars; callers have checked the access. */
@Injectable()
export class AvatarFilesService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly objects: ObjectAnswers,
  ) {}

  /** Sends an avatar, which must have the name `file` if given. @throws 404 */
  async send(
    kind: AvatarKind,
    id: number,
    file: string | null,
    request: Request,
    response: Response,
  ): Promise<FileBody> {
    const found = await this.database.one<AvatarRow>(find(kind), [id, file]);
    if (!found) throw notFound('Avatar');
    return this.objects.send(request, response, found).catch(asNotFound);
  }
}

function asNotFound(error: unknown): never {
  throw error instanceof ObjectNotFound ? notFound('Avatar') : error;
}
