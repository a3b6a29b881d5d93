/** What other programs have put in the way of what this device forwards: shown, never touched. */
import { parsePrefix } from "@weft/contract/rules/address.ts";
import { contains } from "./address.ts";
import { ownProtocol } from "./device.ts";
import type { Run } from "./exec.ts";
import { ipJson } from "./ip-json.ts";

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

const isWithin = (inner: string, outer: string): boolean => {
  const [one, other] = [parsePrefix(inner), parsePrefix(outer)];
  return one !== null && other !== null && one.length >= other.length && contains(outer, inner);
};

const prefixOf = (dst: string): string =>
  dst.includes("/") ? dst : `${dst}/${dst.includes(":") ? 128 : 32}`;

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
  const own = known
    .filter(({ protocol }) => ours.has(protocol ?? ""))
    .map(({ dst }) => prefixOf(dst));
  return known
    .filter(({ protocol }) => !ours.has(protocol ?? "") && protocol !== kernelProtocol)
    .flatMap(({ dst, gateway, dev }) => {
      const prefix = prefixOf(dst);
      const hidden = [...own, ...networks].find((one) => isWithin(prefix, one));
      if (hidden === undefined || whole.test(hidden)) return [];
      const way = [...(gateway ? ["via", gateway] : []), ...(dev ? ["dev", dev] : [])].join(" ");
      return [`foreign: route ${prefix} ${way} of another program shadows ${hidden}`];
    });
};

const chainsOf = async (run: Run): Promise<Chain[]> => {
  const text = await run(["nft", "-j", "list", "chains"]);
  const { nftables } = JSON.parse(text) as { nftables: { readonly chain?: Chain }[] };
  return nftables.flatMap(({ chain }) => (chain ? [chain] : []));
};

/** Whether any rule of the table drops or rejects. */
const drops = async (run: Run, { family, table }: Chain): Promise<boolean> => {
  const text = await run(["nft", "-j", "list", "table", family, table]);
  return /"(drop|reject)"/.test(text.replaceAll(/"policy": "drop"/g, ""));
};

const tablesInTheWay = async (run: Run): Promise<string[]> => {
  const found: string[] = [];
  const inTheWay = (await chainsOf(run)).filter(
    ({ table, hook }) => hook === "forward" && !ownTable.test(table),
  );
  for (const chain of inTheWay) {
    const name = `table ${chain.family} ${chain.table}`;
    if (chain.policy === "drop")
      found.push(`foreign: nft ${name} of another program drops what is forwarded (${chain.name})`);
    else if (await drops(run, chain))
      found.push(`foreign: nft ${name} of another program has rules that drop what is forwarded`);
  }
  return found;
};

/**
 * One line for each nft table and route of another program that keeps the device from forwarding, in the
 * main namespace.
 *
 * @param networks of the device's LANs, address/length
 */
export const findStrangers = async (run: Run, networks: readonly string[]): Promise<string[]> => {
  const routes = async (family: 4 | 6) =>
    ipJson<KernelRoute>(run, ["-N", `-${family}`, "route", "show", "table", "main"]);
  const [tables, four, six] = await Promise.all([tablesInTheWay(run), routes(4), routes(6)]);
  return [...tables, ...shadowing([...four, ...six], networks)];
};
