import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { Links } from '#kernel/http/links.js';
import { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { NamespaceExistsRecord, NamespaceRecord, presentNamespace } from './namespace.record.js';
import { NamespaceListQueries } from './namespace-list.queries.js';
import { NamespacesQueries } from './namespaces.queries.js';

/** Filters of the list of namespaces. */
export class ListNamespacesParams {
  @Text({ optional: true, maxLength: 255 })
  search?: string;

  @Flag({ optional: true, description: 'Only those that the caller owns' })
  owned_only?: boolean;
}

/** Id or full path of a namespace. */
export class ShowNamespaceParams {
  @Text({ maxLength: 1024 })
  id!: string;
}

/** Parameters of a path to look up, below a group or at the top level. */
export class NamespacePath {
  @Text({ maxLength: 1024 })
  namespace!: string;

  @Id({ optional: true, description: 'Group below which to look' })
  parent_id?: number;
}

/** Namespaces of users and groups (`auth-core.md` 6.3). */
@Controller('api/v4/namespaces')
export class NamespacesController {
  constructor(
    private readonly lists: NamespaceListQueries,
    private readonly namespaces: NamespacesQueries,
    private readonly settings: SettingsService,
    private readonly links: Links,
  ) {}

  @Get()
  @Access({ user: true })
  @ReturnsList(NamespaceRecord)
  async list(
    @CurrentActor() actor: Actor,
    @Params() { search, owned_only: ownedOnly }: ListNamespacesParams,
    @Paged() page: Page,
  ): Promise<NamespaceRecord[]> {
    const rows = await page.load(this.lists.list(actor, search, ownedOnly));
    return rows.map((row) => presentNamespace(row, this.licence, this.links));
  }

  @Get(':id')
  @Access({ user: true })
  @Returns(NamespaceRecord)
  async find(@CurrentActor() actor: Actor, @Params() { id }: ShowNamespaceParams): Promise<NamespaceRecord> {
    const target = await this.namespaces.find(actor, id);
    const row = await this.lists.one(actor, target.id);
    if (!row) throw notFound('Namespace');
    return presentNamespace(row, this.licence, this.links);
  }

  @Get(':namespace/exists')
  @Access({ user: true })
  @Returns(NamespaceExistsRecord)
  async exists(
    @CurrentActor() actor: Actor,
    @Params() { namespace, parent_id: parentId }: NamespacePath,
  ): Promise<NamespaceExistsRecord> {
    if (!(await this.mayLookBelow(actor, namespace, parentId))) return { exists: false, suggests: [] };
    const { exists, suggestion } = await this.lists.taken(namespace, parentId);
    return { exists, suggests: exists ? [suggestion] : [] };
  }

  /** The content of a group is revealed only to callers who can see the group. */
  private async mayLookBelow(actor: Actor, path: string, parentId: number | undefined): Promise<boolean> {
    const isSeen = async (parent: number | string): Promise<boolean> =>
      (await this.namespaces.findOrNull(actor, parent)) !== null;
    const slash = path.lastIndexOf('/');
    if (parentId === undefined) return slash < 0 || isSeen(path.slice(0, slash));
    return slash < 0 && isSeen(parentId);
  }

  private get licence(): Parameters<typeof presentNamespace>[1] {
    return { plan: this.settings.current.plan, tier: this.settings.tier };
  }
}
