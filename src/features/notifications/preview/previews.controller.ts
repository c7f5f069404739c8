import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentGroup,
  CurrentProject,
  type Actor,
  type GroupSubject,
  type ProjectSubject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { NotificationPreviewRecord } from './notification-preview.record.js';
import { PreviewOfGroupParams, PreviewOfProjectParams } from './preview.params.js';
import { PreviewsService } from './previews.service.js';

/** Previews whether and why the caller would be notified of an event. */
@Controller('api/v4')
export class PreviewsController {
  constructor(private readonly previews: PreviewsService) {}

  @Get('notification_settings/preview')
  @Access({ user: true })
  @Returns(NotificationPreviewRecord)
  ofAll(
    @CurrentActor() actor: Actor,
    @Params() { event }: PreviewOfGroupParams,
  ): Promise<NotificationPreviewRecord> {
    return this.previews.find(actor.id, event, null);
  }

  @Get('groups/:id/notification_settings/preview')
  @Access({ group: Role.Minimal, publicRead: true })
  @Returns(NotificationPreviewRecord)
  ofGroup(
    @CurrentActor() actor: Actor,
    @CurrentGroup() { traversalIds }: GroupSubject,
    @Params() { event }: PreviewOfGroupParams,
  ): Promise<NotificationPreviewRecord> {
    return this.previews.find(actor.id, event, { projectId: null, groupIds: traversalIds });
  }

  @Get('projects/:id/notification_settings/preview')
  @Access({ project: Role.Guest, publicRead: true })
  @Returns(NotificationPreviewRecord)
  ofProject(
    @CurrentActor() actor: Actor,
    @CurrentProject() { id, traversalIds }: ProjectSubject,
    @Params() { event }: PreviewOfProjectParams,
  ): Promise<NotificationPreviewRecord> {
    return this.previews.find(actor.id, event, { projectId: id, groupIds: traversalIds });
  }
}
