import type { DocumentNode } from 'graphql';
import { library } from '#kernel/libraries/library.js';
import { sourceSchema } from './source-schema.js';

const graphql = library('graphql');

/** The queries for sources have about sixty tokens, twenty fields and five levels. */
const MAX_TOKENS = 500;
const MAX_FIELDS = 100;
const MAX_DEPTH = 8;
/** Limit of fields that cost a statement each. */
const MAX_LOOKUPS = 6;
const LOOKUPS = new Set(['group', 'project', 'projects', 'groupMembers', 'projectMembers']);

/**
 * Parses a document with a single query without fragments, within limits: its cost is known before any
 * look-up. @throws GraphQLError
 */
export function readQuery(text: string): DocumentNode {
  const { getOperationAST, GraphQLError, Kind, OperationTypeNode, parse, validate } = graphql();
  const document = parse(text, { maxLexicalTokens: MAX_TOKENS, noLocation: false });
  if (document.definitions.some(({ kind }) => kind !== Kind.OPERATION_DEFINITION))
    throw new GraphQLError('Fragments and definitions are not supported');
  if (getOperationAST(document)?.operation !== OperationTypeNode.QUERY)
    throw new GraphQLError('Exactly one query is required');
  assertSize(document);
  const { specifiedRules, NoSchemaIntrospectionCustomRule } = graphql();
  const rules = [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const [problem] = validate(sourceSchema(), document, rules, { maxErrors: 1 });
  if (problem) throw problem;
  return document;
}

function assertSize(document: DocumentNode): void {
  const { GraphQLError, visit } = graphql();
  let fields = 0;
  let lookups = 0;
  let depth = 0;
  visit(document, {
    InlineFragment: () => {
      throw new GraphQLError('Fragments are not supported');
    },
    FragmentSpread: () => {
      throw new GraphQLError('Fragments are not supported');
    },
    SelectionSet: {
      enter: () => {
        depth += 1;
        if (depth > MAX_DEPTH) throw new GraphQLError(`The query has more than ${MAX_DEPTH} levels`);
      },
      leave: () => {
        depth -= 1;
      },
    },
    Field: ({ name }) => {
      fields += 1;
      if (LOOKUPS.has(name.value)) lookups += 1;
    },
  });
  if (fields > MAX_FIELDS || lookups > MAX_LOOKUPS) throw new GraphQLError('The query is too large');
}
