import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { expect, test } from "vitest";
import type { Device } from "#drivers/device.ts";
import { CommandFailed } from "#drivers/exec.ts";
import { pickFirewall } from "#drivers/firewall/plan.ts";
import { ObjectsRefused, Refusals } from "#drivers/refusals.ts";
import { withoutRefused } from "#drivers/without-refused.ts";
import { createLog } from "#edge/log.ts";
import { cpeState } from "../../../test/states.ts";
import { createIsolation } from "./apply.ts";
import { namesOf, networksWithFlows, pickIsolation } from "./plan.ts";

test("what is as wide as a default, or half of one, is left to the site", () => {
  const networks = [
    "0.0.0.0/0",
    "0.0.0.0/1",
    "128.0.0.0/1",
    "10.0.0.0/8",
    "::/0",
    "8000::/1",
    "fd00:7::/64",
  ];
  const state = { spaces: [{ spaceId: 7, netns: null, networks }] } as unknown as DesiredState;
  expect(closed(state)).toEqual([[null, ["10.0.0.0/8", "fd00:7::/64"]]]);
});

const closed = (state: DesiredState) =>
  pickIsolation(state).map(({ netns, networks }) => [netns, networks]);

/** A kernel that makes no such routes for networks of IPv6; what it was asked is pushed to `asked`. */
const withoutIpv6 = (asked: string[]): Device =>
  ({
    log: createLog("silent"),
    run: async (argv, { input = "" } = {}) => {
      asked.push(argv.join(" "));
      const stderr = input
        .split("\n")
        .flatMap((line, at) =>
          line.includes(":")
            ? ["RTNETLINK answers: Operation not supported", `Command failed -:${at + 1}`]
            : [],
        )
        .join("\n");
      if (stderr !== "") throw new CommandFailed(argv, 1, { stdout: "", stderr });
      return "";
    },
  }) as Pick<Device, "log" | "run"> as Device;

const mainSpace = { spaceId: 7, netns: null, networks: ["10.0.0.0/8", "fd00:7::/64"] };
const exitOf = (spaceId: number) => ({
  spaceId,
  netns: `weft-s${spaceId}`,
  sources: ["10.1.0.0/16"],
  groups: [],
  exit: {
    marks: ["198.18.0.14"],
    outer4: "198.18.1.12/31",
    inner4: "198.18.1.13/31",
    outer6: "fd57:ee:1::c/127",
    inner6: "fd57:ee:1::d/127",
  },
});

/** What the machine refuses of a state, and what is left then. */
const refusedOf = async (state: DesiredState) => {
  const driver = createIsolation(withoutIpv6([]));
  const part = driver.pick(state);
  const refusals = new Refusals(null, () => 0);
  for (const step of driver.plan(part, []).filter(({ netns }) => netns === null)) {
    const error: unknown = await driver.run(step, part).then(
      () => null,
      (refused: unknown) => refused,
    );
    if (!(error instanceof ObjectsRefused)) throw error ?? new Error("nothing was refused");
    for (const { about, why } of error.refused) refusals.add(about, why, null);
  }
  const found: Finding[] = [];
  return { left: withoutRefused(state, refusals.all, found), found };
};

test("a network without a route to nowhere stays closed by the firewall, and the others have theirs", async () => {
  const state: DesiredState = { ...cpeState(), spaces: [mainSpace] };
  const { left, found } = await refusedOf(state);
  expect(closed(left)).toEqual([[null, ["10.0.0.0/8"]]]);
  expect(found).toEqual([
    {
      section: "space.7",
      kind: "network",
      object: "fd00:7::/64",
      reason: "notClosed",
      params: { why: "RTNETLINK answers: Operation not supported" },
    },
  ]);
  const rules = (wanted: DesiredState) => pickFirewall(wanted, []).map(({ text }) => text);
  expect(rules(left)).toEqual(rules(state));
  expect(rules(left).join()).toMatch(/set s_space6 \{[^}]*fd00:7::/);
});

test("the way out of a space is left out with a network of it that has no route to nowhere", () => {
  const space = { ...mainSpace, netns: "weft-s7" };
  const state = { ...cpeState(), spaces: [space], accelerations: [exitOf(7), exitOf(8)] };
  const [wanted] = pickIsolation(state);
  if (!wanted) throw new Error("nothing is closed");
  const names = namesOf(wanted, "fd00:7::/64");
  expect(names.map(({ section, kind }) => `${section} ${kind}`)).toEqual([
    "space.7 network",
    "acceleration.7 acceleration",
  ]);
  const refusals = new Refusals(null, () => 0);
  for (const name of names) refusals.add(name, "no", null);
  const left = withoutRefused(state, refusals.all, []);
  expect(left.accelerations?.map(({ exit }) => exit === null)).toEqual([true, false]);
});

test("flows are those of the networks that hosts sent to, whatever the answer's addresses are", () => {
  const dump = [
    "tcp      6 431999 ESTABLISHED src=10.1.1.100 dst=10.0.0.9 sport=5 dport=80 src=10.0.0.9 dst=198.51.100.2 sport=80 dport=5 [ASSURED] mark=0 use=1",
    "icmp     1 29 src=10.1.1.100 dst=192.0.2.1 type=8 code=0 id=1 src=192.0.2.1 dst=10.7.0.1 type=0 code=0 id=1 mark=0 use=1",
  ].join("\n");
  const networks = ["10.0.0.0/24", "10.0.0.0/16", "10.7.0.0/16", "10.9.0.0/16"];
  expect(networksWithFlows(networks, dump)).toEqual(["10.0.0.0/16"]);
  expect(networksWithFlows(networks, "")).toEqual([]);
});
