/** A group as its own record shows it to the administrator, with its direct members. */
export interface GroupFacts {
  readonly id: number;
  readonly parent_id: number | null;
  readonly visibility: string;
  readonly shared_with_groups: readonly { readonly group_id: number; readonly group_access_level: number }[];
  members: ReadonlyMap<number, number>;
}

/** A project as its own record shows it to the administrator, with its direct members. */
export interface ProjectFacts {
  readonly id: number;
  readonly visibility: string;
  readonly archived: boolean;
  readonly namespace: { readonly id: number; readonly kind: string };
  readonly owner?: { readonly id: number };
  readonly issues_access_level: string;
  readonly merge_requests_access_level: string;
  members: ReadonlyMap<number, number>;
  /** Priorities of its labels, by name. */
  priorities: ReadonlyMap<string, number>;
}

/** A milestone as its own record shows it. */
export interface MilestoneFacts {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly state: string;
  readonly start_date: string | null;
  readonly due_date: string | null;
  readonly project_id?: number | null;
  readonly group_id?: number | null;
}

interface Person {
  readonly id: number;
}

/** An issue, merge request or epic as its own record shows it to the administrator, with what other records tell of it. */
export interface ThingFacts {
  readonly id: number;
  readonly iid: number;
  readonly project_id?: number;
  readonly group_id?: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: string;
  readonly labels: readonly string[];
  readonly author: Person;
  readonly assignees?: readonly Person[];
  readonly reviewers?: readonly Person[];
  readonly milestone?: MilestoneFacts | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly merged_at?: string | null;
  readonly upvotes: number;
  readonly confidential?: boolean;
  readonly issue_type?: string;
  readonly due_date?: string | null;
  readonly weight?: number | null;
  readonly health_status?: string | null;
  readonly epic?: { readonly id: number } | null;
  readonly draft?: boolean;
  readonly source_branch?: string;
  readonly target_branch?: string;
  readonly source_project_id?: number | null;
  /** Ids of its labels, of which two may have the same name. */
  labelIds: readonly number[];
  /** Names of emoji by the users who awarded them. */
  emoji: ReadonlyMap<number, readonly string[]>;
  /** Who has approved it, and whom its rules name. */
  approvedBy: readonly number[];
  approvers: readonly number[];
  /** Names of the environments to which it was deployed. */
  environments: readonly string[];
}

/** The kinds of things that lists show. */
export type Kind = 'issue' | 'merge_request' | 'epic';

/** Everything that single records tell. */
export interface Facts {
  readonly groups: ReadonlyMap<number, GroupFacts>;
  readonly projects: ReadonlyMap<number, ProjectFacts>;
  readonly milestones: readonly MilestoneFacts[];
  readonly things: Readonly<Record<Kind, readonly ThingFacts[]>>;
}

/** A person who asks; null for an anonymous client. */
export interface Viewer {
  readonly id: number;
  readonly admin: boolean;
  readonly external: boolean;
}
