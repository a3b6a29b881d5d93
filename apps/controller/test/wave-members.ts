/** A rollout and one of its CPEs, which is fine. */
import type { Member, Rollout, Seen } from "#domains/templates/rollout/member.ts";

export const soakMs = 120_000;
export const graceMs = 60_000;
export const start = 1_000_000;
export const rollout = (more: Partial<Rollout> = {}): Rollout => ({
  soakMs,
  graceMs,
  contact: true,
  links: true,
  findings: true,
  loss: 5,
  wave: 1,
  waves: 3,
  askEach: false,
  since: start,
  checkedAt: start,
  ...more,
});
export const confirmed = { kind: "confirmed", idle: [] } as const;
export const fine: Seen = {
  online: true,
  links: 2,
  linkIds: { wanted: [7, 8], up: [7, 8] },
  hasStaleLinks: false,
  loss: 0.1,
  findings: [],
  findingsBefore: [],
  progress: confirmed,
};
export const member = (more: Partial<Member> = {}): Member => ({
  nodeId: 1,
  wave: 1,
  startedAt: start,
  baseline: fine,
  steadySince: start,
  suspects: {},
  awaitedMs: 0,
  compared: null,
  expected: { isKnown: true, objects: [] },
  seen: fine,
  ...more,
});
