import { List, Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { NamespaceBasicRecord } from '#core/groups/namespaces/namespace.record.js';

/** The public attributes of a project: the form for anonymous callers and for `simple=true`. */
export class ProjectSimpleRecord {
  @Id()
  id!: number;

  @Text({ nullable: true })
  description!: string | null;

  @Text()
  name!: string;

  @Text({ example: 'Group / Project' })
  name_with_namespace!: string;

  @Text()
  path!: string;

  @Text({ example: 'group/project' })
  path_with_namespace!: string;

  @IsoTime()
  created_at!: string;

  @Text({ nullable: true })
  default_branch!: string | null;

  @List(Text(), { description: 'The same as topics' })
  tag_list!: string[];

  @List(Text())
  topics!: string[];

  @Text({ nullable: true, description: 'Always null: git is served over HTTP' })
  ssh_url_to_repo!: null;

  @Text()
  http_url_to_repo!: string;

  @Text()
  web_url!: string;

  @Text({ nullable: true })
  readme_url!: string | null;

  @Count()
  forks_count!: number;

  @Text({ nullable: true })
  avatar_url!: string | null;

  @Count()
  star_count!: number;

  @IsoTime()
  last_activity_at!: string;

  @Nested(() => NamespaceBasicRecord)
  namespace!: NamespaceBasicRecord;
}
