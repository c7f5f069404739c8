import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { SentFile } from '#kernel/http/bodies/files/sent-file.js';
import { bind } from '#kernel/http/fields/binder.js';
import { UpdateGroupParams } from '#core/groups/groups.params.js';
import { GroupsService } from '#core/groups/groups.service.js';
import { ProjectAttributesParams } from '#core/projects/projects.params.js';
import { UpdateProject } from '#core/projects/writes/update-project.use-case.js';
import type { StepRun } from '../engine/entity-step.js';
import { SourceRefused } from '../source/source-errors.js';
import { DestinationRefused } from './destination-refused.js';
import { ImporterFinder } from './importer.finder.js';
import { sourcePath } from './shells/source-path.js';

/** Local file name; its extension follows from the content, regardless of the source. */
const NAME = 'avatar';

/** Imports the avatars of groups and projects, as if the importing user had uploaded them. */
@Injectable()
export class CopyAvatarStep {
  constructor(
    private readonly importers: ImporterFinder,
    private readonly groups: GroupsService,
    private readonly projects: UpdateProject,
  ) {}

  /** Imports the avatar of a group; idempotent, since the same image replaces the former one. */
  async group(run: StepRun): Promise<void> {
    await this.bring(run, UpdateGroupParams, (caller, id, params) => this.groups.update(caller, id, params));
  }

  /** Imports the avatar of a project. */
  async project(run: StepRun): Promise<void> {
    await this.bring(run, ProjectAttributesParams, (caller, id, params) =>
      this.projects.update(id, caller, params),
    );
  }

  /** An invalid image is skipped. @throws SourceBusy, SourceRefused if the source does not send it */
  private async bring<T extends object>(
    run: StepRun,
    type: new () => T,
    update: (caller: UserCaller, id: number, params: T) => Promise<void>,
  ): Promise<void> {
    const content = await pictureOf(run);
    if (content === null) return;
    const params = content instanceof Error ? content : checked(type, content);
    if (!(params instanceof Error)) {
      await run.assertAllowed();
      const { ownerId } = await run.target();
      await update(await this.importers.callerOf(run.entity), ownerId, params);
    }
    await run.commit(async (tx) => {
      if (params instanceof Error) await run.report(tx, 'transformer', params, null);
      const counts = params instanceof Error ? { failed: 1 } : { imported: 1 };
      await run.progress(tx, { source: 1, fetched: 1, ...counts });
    });
  }
}

/** Returns the image, null if there is none; an error if no answer of the source can be an image. */
async function pictureOf({ entity, source }: StepRun): Promise<Buffer | SourceRefused | null> {
  try {
    return await source.picture(`${sourcePath(entity)}/avatar`);
  } catch (error) {
    if (error instanceof SourceRefused && error.status === null) return error;
    throw error;
  }
}

/** Validates the image as an upload. */
function checked<T extends object>(type: new () => T, content: Buffer): T | DestinationRefused {
  const bound = bind(type, [{ avatar: new SentFile(NAME, content) }]);
  if (bound.ok) return bound.value;
  const { avatar: problems } = bound.problems;
  return new DestinationRefused(`The avatar ${Array.isArray(problems) ? problems.join(', ') : 'is invalid'}`);
}
