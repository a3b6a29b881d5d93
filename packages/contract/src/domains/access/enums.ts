/** Section 1 and 6: 0 controller, 1 agent, any other value enterprise (2 is written). */
export const roleTypes = [0, 1, 2] as const;
export type RoleType = (typeof roleTypes)[number];
/** Section 6: 1 own enterprise, 2 own data only, 3 own and all subordinate, 4 custom enterprises. */
export const dataScopes = [1, 2, 3, 4] as const;
export type DataScope = (typeof dataScopes)[number];
export const dataScope = { ownEnterprise: 1, ownData: 2, ownAndSubordinate: 3, custom: 4 } as const;
/** 0 formal, 1 trial. */
export const enterpriseTypes = [0, 1] as const;
/**
 * What new passwords of an enterprise and of all below it must be, the laxest first. 8+MFA requires
 * MFA as well, also where one below asks for 15+.
 */
export const passwordPolicies = ["spec", "8+MFA", "15+"] as const;
export type PasswordPolicy = (typeof passwordPolicies)[number];
/** 0 system, 1 security, 2 alarm. */
export const messageTypes = [0, 1, 2] as const;
export const messageType = { system: 0, security: 1, alarm: 2 } as const;
/** 0 unread, 1 read. */
export const messageStatuses = [0, 1] as const;
/** What the operation log can be narrowed to: what kind of thing was done. */
export const recordKinds = [
  "add",
  "edit",
  "remove",
  "switch",
  "deliver",
  "device",
  "enrol",
  "transfer",
  "account",
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** What an entry of the operation log did. An edit is undone by the values before, one of the others by the other. */
export const undoableWrites = ["edit", "add", "remove"] as const;
export type UndoableWrite = (typeof undoableWrites)[number];
