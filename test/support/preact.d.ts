// Replaces the types of Preact, which `@auth/core` refers to: the real ones add browser types to all sources.
export type ComponentChildren = unknown;
export type VNode = unknown;
export type JSX = never;
