/** What other programs have put in the way of what this device forwards: shown, never touched. */
import { foreignLine, seenAt } from "@weft/contract/domains/delivery/foreign-text.ts";
import { isNetworkWithin, prefixText } from "@weft/contract/rules/address.ts";
import { ownProtocol } from "./device.ts";
import type { Run } from "./exec.ts";
import { ipJsonOfAll } from "./ip-json.ts";

interface Chain {
  readonly family: string;
  readonly table: string;
  readonly name: string;
  readonly hook?: string;
  readonly policy?: string;
}

export interface KernelRoute {
  readonly dst: string;
  readonly gateway?: string;
  readonly dev?: string;
  readonly protocol?: string;
}

/** Ours, of BGP and of staticd; and the kernel's own for the addresses of an interface. */
const ours = new Set([ownProtocol, "186", "196"]);
const kernelProtocol = "2";

const ownTable = /^weft/;
const whole = /^(0\.0\.0\.0|::)\/0$/;

/**
 * Routes of others that win over one of ours: as long or longer, and within it.
 *
 * @param networks of LANs, address/length
 */
export const shadowing = (
  routes: readonly KernelRoute[],
  networks: readonly string[],
): string[] => {
  const known = routes.filter(({ dst }) => dst !== "default" && !dst.startsWith("fe80:"));
  const ownNetworks = known
    .filter(({ protocol }) => ours.has(protocol ?? ""))
    .map(({ dst }) => prefixText(dst));
  return known
    .filter(({ protocol }) => !ours.has(protocol ?? "") && protocol !== kernelProtocol)
    .flatMap(({ dst, gateway, dev }) => {
      const prefix = prefixText(dst);
      const hidden = [...ownNetworks, ...networks].find((text) => isNetworkWithin(text, prefix));
      if (hidden === undefined || whole.test(hidden)) return [];
      const way = [...(gateway ? ["via", gateway] : []), ...(dev ? ["dev", dev] : [])].join(" ");
      return [foreignLine("route", { prefix, way, hidden })];
    });
};

interface Listed {
  readonly chain?: Chain;
  readonly rule?: { readonly chain: string; readonly expr: readonly unknown[] };
  readonly map?: { readonly name: string; readonly elem?: unknown };
}

const listingOf = async (run: Run, what: readonly string[]): Promise<readonly Listed[]> => {
  const text = await run(["nft", "-j", "list", ...what]);
  return (JSON.parse(text) as { nftables: readonly Listed[] }).nftables;
};

/**
 * Statements that end a packet: verdicts, a queue to a program that may (and drops without one), and targets
 * of iptables that nft cannot translate and shows by name.
 */
const ends =
  /"(?:drop|reject|queue)":|"xt":\{[^}]*"name":"(?:DROP|REJECT|TARPIT|DELUDE|CHAOS|STEAL|NFQUEUE)"/;
const jumps = /"(?:jump|goto)":\{"target":"([^"]+)"\}/g;
const mapped = /"@([^"]+)"/g;

/**
 * Chains of a table with what their rules may do with a packet, also by maps of verdicts. Each rule is
 * read once: a program may have tens of thousands of them.
 */
const chainsOf = (table: readonly Listed[]) => {
  const maps = new Map(
    table.flatMap(({ map }) => (map ? [[map.name, JSON.stringify(map.elem ?? [])] as const] : [])),
  );
  const rules = Map.groupBy(
    table.flatMap(({ rule }) => rule ?? []),
    ({ chain }) => chain,
  );
  return (name: string): { readonly drops: boolean; readonly targets: readonly string[] } => {
    const texts = (rules.get(name) ?? []).map(({ expr }) => JSON.stringify(expr));
    const named = new Set(
      texts.flatMap((text) => [...text.matchAll(mapped)].map(([, map]) => map)),
    );
    const all = [...texts, ...[...named].map((map = "") => maps.get(map) ?? "")];
    return {
      drops: all.some((text) => ends.test(text)),
      targets: all.flatMap((text) => [...text.matchAll(jumps)].map(([, target = ""]) => target)),
    };
  };
};

/**
 * Whether a packet that comes to the chain may meet a rule that drops or rejects, also by jumps and
 * by maps of verdicts.
 */
export const canDrop = (table: readonly Listed[], name: string): boolean => {
  const chainOf = chainsOf(table);
  const seen = new Set<string>();
  const waiting = [name];
  for (let chain = waiting.pop(); chain !== undefined; chain = waiting.pop()) {
    if (seen.has(chain)) continue;
    seen.add(chain);
    const { drops, targets } = chainOf(chain);
    if (drops) return true;
    for (const target of targets) waiting.push(target);
  }
  return false;
};

const interferingTables = async (run: Run): Promise<string[]> => {
  const interfering: string[] = [];
  const chains = (await listingOf(run, ["chains"])).flatMap(({ chain }) => chain ?? []);
  const listed = new Map<string, readonly Listed[]>();
  const tableOf = async ({ family, table }: Chain): Promise<readonly Listed[]> => {
    const key = `${family} ${table}`;
    const all = listed.get(key) ?? (await listingOf(run, ["table", family, table]));
    listed.set(key, all);
    return all;
  };
  for (const chain of chains) {
    const { family, table, name, hook, policy } = chain;
    const seen = seenAt(hook ?? "");
    if (seen === undefined || ownTable.test(table)) continue;
    const params = { table: `${family} ${table}`, seen, chain: name };
    if (policy === "drop") interfering.push(foreignLine("policy", params));
    else if (canDrop(await tableOf(chain), name)) interfering.push(foreignLine("chain", params));
  }
  return interfering;
};

export interface KernelRule {
  readonly priority: number;
  readonly protocol?: string;
  readonly [field: string]: unknown;
}

/** Where the kernel looks at `main`, in which the device's routes are. */
const mainPriority = 32_766;

/** Numbers of actions (linux/fib_rules.h). */
const actions: Readonly<Record<string, string>> = {
  "6": "blackhole",
  "7": "unreachable",
  "8": "prohibit",
};

/** Selector and action as ip-rule(8) writes them. */
const ruleText = (rule: KernelRule): string => {
  const { priority: _, protocol: __, src, srclen, dst, dstlen, table, action, ...rest } = rule;
  const network = (keyword: string, address: unknown, length: unknown): string[] =>
    address === undefined || address === "all"
      ? []
      : [`${keyword} ${address}${length === undefined ? "" : `/${length}`}`];
  return [
    ...network("from", src, srclen),
    ...network("to", dst, dstlen),
    ...Object.entries(rest).map(([key, value]) => (value === null ? key : `${key} ${value}`)),
    ...(table === undefined ? [] : [`lookup ${table}`]),
    ...(action === undefined ? [] : [actions[`${action}`] ?? `action ${action}`]),
  ].join(" ");
};

/** Rules of others that the kernel asks before the table with the device's routes. */
export const interferingRules = (family: 4 | 6, rules: readonly KernelRule[]): string[] =>
  rules
    .filter(
      ({ priority, protocol }) =>
        priority > 0 && priority < mainPriority && protocol !== ownProtocol,
    )
    // The kernel adds it with the first device of a VRF; without such a device it matches nothing.
    .filter((rule) => !("l3mdev" in rule))
    .map((rule) => foreignLine("rule", { family, priority: rule.priority, rule: ruleText(rule) }));

/**
 * One line for each nft chain, route and rule of another program that may keep the device from
 * forwarding, in the main namespace.
 *
 * @param networks of the device's LANs, address/length
 */
export const findForeignObjects = async (
  run: Run,
  networks: readonly string[],
): Promise<string[]> => {
  const waysOf = async (family: 4 | 6) => {
    const answers = await ipJsonOfAll(
      run,
      ["-N", `-${family}`],
      ["route show table main", "rule show"],
    );
    const [routes = [], rules = []] = answers;
    return {
      routes: routes as KernelRoute[],
      rules: interferingRules(family, rules as KernelRule[]),
    };
  };
  const [tables, four, six] = await Promise.all([interferingTables(run), waysOf(4), waysOf(6)]);
  const shadows = shadowing([...four.routes, ...six.routes], networks);
  return [...tables, ...shadows, ...four.rules, ...six.rules];
};
