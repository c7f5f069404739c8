import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { invalid } from '#kernel/http/errors.js';
import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { visibilityProblem } from '#core/projects/project-values.js';

/** Rules that creating and updating a snippet share. */
@Injectable()
export class SnippetRulesService {
  constructor(private readonly settings: SettingsService) {}

  /** Returns the default visibility of a new snippet. */
  preset(actor: Actor): Visibility {
    const { default_snippet_visibility: preset, restricted_visibility_levels: restricted } =
      this.settings.values;
    return !actor.admin && restricted.includes(preset) ? 'private' : (preset as Visibility);
  }

  /** Asserts that title and visibility are valid. @throws 400 for a blank title or a restricted visibility */
  check(actor: Actor, title: string | undefined, visibility: Visibility | undefined): void {
    const restricted = this.settings.values.restricted_visibility_levels;
    const problem =
      visibility === undefined ? null : visibilityProblem(visibility, null, restricted, actor.admin);
    const problems = {
      ...(title?.trim() === '' ? { title: ["can't be blank"] } : {}),
      ...(problem === null ? {} : { visibility_level: [problem] }),
    };
    if (Object.keys(problems).length > 0) throw invalid(problems);
  }
}
