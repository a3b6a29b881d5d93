import { readFileSync } from "node:fs";
import { canonicalAddress } from "#drivers/address.ts";
import { type Device, ownProtocol } from "#drivers/device.ts";
import type { Driver } from "#drivers/driver.ts";
import { succeeds } from "#drivers/exec.ts";
import {
  isExitName,
  isLeavingRule,
  leavingRules,
  leavingTable,
  outerOf,
  type SpaceExit,
} from "#drivers/exits.ts";
import { globalAddresses, type IpLink, ipJson } from "#drivers/ip-json.ts";
import { ensureNetns, listNetns } from "#drivers/netns.ts";
import { putSetting, turnOnIpv6 } from "#drivers/put-setting.ts";
import {
  type AccelerationPart,
  type AccelerationStep,
  type FoundExit,
  pickAcceleration,
  planAcceleration,
} from "./plan.ts";
import { type CutExits, createExitWatch, cutExitsOf } from "./watch.ts";

export interface Acceleration
  extends Driver<AccelerationPart, readonly FoundExit[], AccelerationStep> {
  tend(): Promise<void>;
  /** Exits of the site that are not there at the moment, by their mark. */
  cutExits(): CutExits;
  /** Calls back when they are others than before, until the returned is called. */
  watchExits(changed: () => void): () => void;
}

interface RuleRow {
  readonly priority: number;
  readonly fwmark?: string;
  readonly fwmask?: string;
  readonly table?: string;
  readonly action?: string;
  readonly suppress_prefixlen?: number;
}
interface RouteRow {
  readonly dst: string;
  readonly gateway?: string;
}

const families = [4, 6] as const;

/** Of the namespace that the program runs in. */
const namesHere = (): string[] =>
  readFileSync("/proc/self/net/dev", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [name = ""] = line.trim().split(":");
      return isExitName(name) ? [name] : [];
    });

const ruleOf = (family: 4 | 6, row: RuleRow): string => {
  const { priority, fwmark, fwmask, table, action, suppress_prefixlen } = row;
  const target =
    action === undefined ? `lookup ${table === "254" ? "main" : table}` : "unreachable";
  const rest =
    suppress_prefixlen === undefined ? "" : ` suppress_prefixlength ${suppress_prefixlen}`;
  return `IPv${family} ${priority} fwmark ${fwmark}/${fwmask} ${target}${rest}`;
};

const rulesIn = async ({ run }: Device, netns: string): Promise<string[]> => {
  const rules: string[] = [];
  for (const family of families) {
    const rows = await ipJson<RuleRow>(run, ["-N", `-${family}`, "rule"], netns);
    rules.push(
      ...rows.filter(({ priority }) => isLeavingRule(priority)).map((row) => ruleOf(family, row)),
    );
  }
  return rules;
};

const defaultsIn = async ({ run }: Device, netns: string): Promise<string[]> => {
  const defaults: string[] = [];
  for (const family of families) {
    const query = [`-${family}`, "route", "show", "default", "table", `${leavingTable}`];
    // It fails where there is no such table.
    const rows = await ipJson<RouteRow>(run, query, netns).catch(() => []);
    defaults.push(...rows.flatMap(({ gateway }) => (gateway ? [canonicalAddress(gateway)] : [])));
  }
  return defaults;
};

const linkIn = async ({ run }: Device, name: string, netns: string | null) => {
  const rows = await ipJson<IpLink>(run, ["addr", "show", "dev", name], netns).catch(() => []);
  return rows[0];
};

const readExit = async (device: Device, interfaceName: string): Promise<FoundExit> => {
  const text = `weft-s${interfaceName.slice(2)}`;
  const netns = listNetns().includes(text) ? text : null;
  const outer = await linkIn(device, interfaceName, null);
  const inner = netns === null ? undefined : await linkIn(device, interfaceName, netns);
  return {
    interfaceName,
    netns: inner === undefined ? null : netns,
    isUp: [outer, inner].every((link) => link?.flags.includes("UP")),
    mtus: [outer, inner].flatMap((link) => link?.mtu ?? []),
    outer: outer ? globalAddresses(outer) : [],
    inner: inner ? globalAddresses(inner) : [],
    rules: netns === null ? [] : await rulesIn(device, netns),
    defaults: netns === null ? [] : await defaultsIn(device, netns),
  };
};

/** Rules of a namespace stay where its pair of interfaces was taken away by somebody else. */
const dropRules = async ({ run }: Device, netns: string): Promise<void> => {
  for (const { family, priority, text } of leavingRules) {
    const rule = ["priority", `${priority}`, ...text.split(" ")];
    while (await succeeds(run, ["ip", `-${family}`, "rule", "del", ...rule], { netns }));
  }
};

const close = async (device: Device, interfaceName: string, netns: string | null) => {
  // The interface last: it is what shows that something is left after the program was ended in between.
  if (netns !== null && listNetns().includes(netns)) await dropRules(device, netns);
  // Both ends go with one, and routes and addresses with them.
  await succeeds(device.run, ["ip", "link", "del", interfaceName]);
};

const configureEnd = async (
  { run }: Device,
  name: string,
  addresses: readonly string[],
  netns: string | null,
): Promise<void> => {
  await run(["sh", "-c", `${putSetting}${turnOnIpv6(name)}`], { netns });
  for (const address of addresses) {
    const nodad = address.includes(":") ? ["nodad"] : [];
    await run(["ip", "addr", "replace", address, "dev", name, ...nodad], { netns });
  }
  await run(["ip", "link", "set", "dev", name, "up"], { netns });
};

const size = async ({ run }: Device, { interfaceName, netns, mtu }: SpaceExit): Promise<void> => {
  for (const end of [null, netns])
    await run(["ip", "link", "set", "dev", interfaceName, "mtu", `${mtu}`], { netns: end });
};

const open = async (device: Device, exit: SpaceExit): Promise<void> => {
  const { run } = device;
  const { interfaceName, netns } = exit;
  await ensureNetns(run, netns);
  await close(device, interfaceName, netns);
  const pair = ["type", "veth", "peer", "name", interfaceName, "netns", netns];
  await run(["ip", "link", "add", interfaceName, ...pair]);
  await size(device, exit);
  await configureEnd(device, interfaceName, [exit.outer4, exit.outer6], null);
  await configureEnd(device, interfaceName, [exit.inner4, exit.inner6], netns);
  for (const [at, gateway] of outerOf(exit).entries()) {
    const way = ["default", "via", gateway, "dev", interfaceName, "table", `${leavingTable}`];
    const family = at === 0 ? "-4" : "-6";
    await run(["ip", family, "route", "replace", ...way, "proto", ownProtocol], { netns });
  }
  for (const { family, priority, text } of leavingRules) {
    const rule = ["priority", `${priority}`, ...text.split(" "), "protocol", ownProtocol];
    await run(["ip", `-${family}`, "rule", "add", ...rule], { netns });
  }
};

/** Ways out of the spaces of a POP, and the watch over those of a site (docs/adr/0043-acceleration.md). */
export const createAcceleration = (device: Device): Acceleration => {
  const watch = createExitWatch(device.run);
  return {
    name: "acceleration",
    pick: pickAcceleration,
    validate: async () => {},
    observe: async ({ watched }) => {
      watch.follow(watched);
      const observed: FoundExit[] = [];
      for (const name of namesHere()) observed.push(await readExit(device, name));
      return observed;
    },
    plan: planAcceleration,
    run: (step) => {
      if (step.kind === "open") return open(device, step.exit);
      if (step.kind === "size") return size(device, step.exit);
      return close(device, step.interfaceName, step.netns);
    },
    tend: () => watch.tend(),
    cutExits: () => cutExitsOf(watch.last),
    watchExits: (changed) => watch.watch(changed),
  };
};
