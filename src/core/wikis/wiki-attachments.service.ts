import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { invalid } from '#kernel/http/errors.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { readUpload, type Upload } from '#kernel/http/bodies/files/upload.js';
import { writeBlob } from '#core/repositories/git/write-blob.js';
import type { Quarantine } from '#core/repositories/objects/quarantine.js';
import { isValidRefName } from '#core/repositories/ref-name.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import { wikiBranch } from './pages/wiki-branch.js';
import { WikiEditsService } from './pages/wiki-edits.service.js';
import type { WikiAttachmentRecord } from './pages/wiki-page.record.js';
import type { AttachToWikiParams } from './wikis.params.js';

/** Limit of bytes of a file uploaded by the API; larger ones must be pushed. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Limit of name length that all file systems support. */
const MAX_NAME = 200;

/** Files that pages display inline. */
const IMAGE = /\.(png|jpe?g|gif|bmp|tiff?|ico|webp|svg|avif)$/i;

/** Adds files to the repositories of wikis. */
@Injectable()
export class WikiAttachmentsService {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly edits: WikiEditsService,
  ) {}

  /**
   * Commits the file of a multipart body below `uploads`. @throws 400 without a file or for a missing branch,
   * 413
   */
  async add(
    wiki: RepositoryRef,
    caller: Caller,
    request: ApiRequest,
    { branch: named }: AttachToWikiParams,
  ): Promise<WikiAttachmentRecord> {
    const upload = await readUpload(request, 'file', MAX_FILE_BYTES);
    try {
      return await this.commit(wiki, caller, upload, upload.fields.get('branch') ?? named);
    } finally {
      await upload.remove();
    }
  }

  private async commit(
    wiki: RepositoryRef,
    caller: Caller,
    upload: Upload,
    branch: string | undefined,
  ): Promise<WikiAttachmentRecord> {
    if (branch && !isValidRefName(branch)) throw invalid({ branch: ['is invalid'] });
    const repository = await this.repositories.ensure(wiki);
    const ref = branch ? `refs/heads/${branch}` : undefined;
    const name = cleanName(upload.name);
    const path = `uploads/${randomBytes(16).toString('hex')}/${name}`;
    const plan = async (_look: unknown, onto: string, quarantine: Quarantine) => {
      const blob = await writeBlob(await quarantine.directory(), upload.path);
      return {
        changes: [{ path, blob, mode: '100644' }],
        message: `Upload attachment ${name}`,
        result: attachmentOf(name, path, onto),
      };
    };
    if (ref) await this.refuseUnknown(repository.path, ref);
    return this.edits.commit(repository, caller, plan, ref);
  }

  /** Only the branch of the pages may be created by an attachment. @throws 400 */
  private async refuseUnknown(repositoryPath: string, ref: string): Promise<void> {
    const [wanted, usual] = [await wikiBranch(repositoryPath, ref), await wikiBranch(repositoryPath)];
    if (wanted.commit === null && wanted.ref !== usual.ref) throw invalid({ branch: ['does not exist'] });
  }
}

/** Replaces characters that need escaping in links or are unsafe in folders. */
function cleanName(name: string): string {
  const clean = name.replace(/[^a-zA-Z0-9.\-+_]/g, '_').slice(-MAX_NAME);
  return /^\.|^$/.test(clean) ? `_${clean}` : clean;
}

function attachmentOf(name: string, path: string, branch: string): WikiAttachmentRecord {
  const isImage = IMAGE.test(name);
  const label = isImage ? name.replace(/\.\w+$/, '') : name;
  const markdown = `${isImage ? '!' : ''}[${label}](${path})`;
  return { file_name: name, file_path: path, branch, link: { url: path, markdown } };
}
