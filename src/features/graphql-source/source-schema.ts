import type { GraphQLSchema } from 'graphql';
import { library } from '#kernel/libraries/library.js';

const graphql = library('graphql');

const TYPES = `
  type Query {
    group(fullPath: ID!): Group
    project(fullPath: ID!): Project
  }

  type Group {
    id: ID!
    name: String!
    path: String!
    fullName: String!
    fullPath: ID!
    description: String
    visibility: String!
    createdAt: String!
    emailsDisabled: Boolean
    lfsEnabled: Boolean
    mentionsDisabled: Boolean
    projectCreationLevel: String
    subgroupCreationLevel: String
    requestAccessEnabled: Boolean
    requireTwoFactorAuthentication: Boolean
    shareWithGroupLock: Boolean
    twoFactorGracePeriod: Int
    groupMembers(relations: [GroupMemberRelation!] = [DIRECT, INHERITED], first: Int, after: String): MemberConnection
    projects(includeSubgroups: Boolean = false, first: Int, after: String): ProjectConnection!
  }

  type Project {
    id: ID!
    name: String!
    path: String!
    fullPath: ID!
    description: String
    visibility: String!
    createdAt: String!
    archived: Boolean!
    projectMembers(relations: [ProjectMemberRelation!] = [DIRECT, INHERITED], first: Int, after: String): MemberConnection
  }

  enum GroupMemberRelation { DIRECT INHERITED DESCENDANTS SHARED_FROM_GROUPS }
  enum ProjectMemberRelation { DIRECT INHERITED DESCENDANTS INVITED_GROUPS SHARED_INTO_ANCESTORS }

  type PageInfo {
    endCursor: String
    hasNextPage: Boolean!
  }

  type ProjectConnection {
    nodes: [Project]
    pageInfo: PageInfo!
  }

  type MemberConnection {
    nodes: [Member]
    pageInfo: PageInfo!
  }

  type Member {
    createdAt: String
    updatedAt: String
    expiresAt: String
    accessLevel: AccessLevel
    user: User
  }

  type AccessLevel { integerValue: Int }

  type User {
    id: ID!
    username: String!
    name: String!
    publicEmail: String
  }
`;

let schema: GraphQLSchema | undefined;

/** Returns the schema that other instances query, with the names of v4 servers (`ops.md` 1.7). */
export const sourceSchema = (): GraphQLSchema => (schema ??= graphql().buildSchema(TYPES));
