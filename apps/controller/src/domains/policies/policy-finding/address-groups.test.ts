import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { expect, test } from "vitest";
import { mergePolicy } from "#domains/policies/merged/public.ts";
import { groupVerdicts } from "./address-groups.ts";

const { allMembers, setMembers } = stateLimits;
const members = (group: number) =>
  Array.from({ length: setMembers }, (_, at) => ({
    id: group * setMembers + at,
    ipgroupId: group,
    ip: "10.0.0.1",
  }));
const limits = (...groups: number[]) =>
  groups.map((ipgroupId) => ({ id: ipgroupId, enable: true, ipgroupId }));

test("groups that no section has room for beside the others cannot act, and those in no use take none", () => {
  const whole = Array.from({ length: allMembers / setMembers + 2 }, (_, at) => at + 1);
  const [unused = 0, ...used] = whole;
  const node = {
    routerIpgroup: whole.map((id) => ({ id, name: `group-${id}` })),
    routerIpgroupdefine: whole.flatMap(members),
    routerConnlimit: limits(...used),
  };
  const found = groupVerdicts(mergePolicy({ node, template: {} }));
  const last = used.at(-1);
  expect(unused).toBe(1);
  expect([...found].map(([{ id }, { effect, reason }]) => [id, effect, reason])).toEqual([
    [last, "cannot", "tooMany"],
  ]);
});
