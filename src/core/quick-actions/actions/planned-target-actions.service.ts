import { Injectable } from '@nestjs/common';
import { CommandReferenceFinder } from '../targets/command-reference.finder.js';
import type { QuickAction } from '../quick-action.js';
import { copyMetadataAction } from './copy-metadata-action.js';
import { labelsAction } from './labels-action.js';
import { assigneesAction } from './people-action.js';
import { lockAction, milestoneAction } from './plan-actions.js';
import { ccAction, stateAction } from './state-action.js';
import { NoteableActionsService } from './noteable-actions.service.js';
import { titleAction } from './title-action.js';

/** Quick actions that issues and merge requests share. */
@Injectable()
export class PlannedTargetActionsService {
  constructor(
    private readonly talk: NoteableActionsService,
    private readonly referenceFinder: CommandReferenceFinder,
  ) {}

  /** Returns all of them; `title`: the action on titles, which some types extend. */
  all(title: QuickAction = titleAction()): QuickAction[] {
    return [
      title,
      labelsAction,
      assigneesAction,
      milestoneAction,
      lockAction,
      stateAction,
      copyMetadataAction(this.referenceFinder),
      ccAction,
      ...this.talk.ofTargets(),
      ...this.talk.ofTimes(),
    ];
  }
}
