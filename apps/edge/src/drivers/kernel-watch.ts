/** Watches for changes of what the drivers own, and of what others put in its way. */
import { ownProtocol } from "./device.ts";
import { monitor } from "./monitor.ts";

/** Links, addresses, routes, rules and forwarding of all namespaces that have a number. */
const kernel = [
  "ip",
  "-o",
  "-N",
  "monitor",
  "link",
  "address",
  "route",
  "rule",
  "netconf",
  "all-nsid",
] as const;
const rules = ["nft", "monitor"] as const;

/** BGP and staticd (zebra's numbers): many, and looked after by zebra itself. */
const routed = ["186", "196"];
const protocolOf = /\bproto(?:col)? (\S+)/;

/**
 * Whether a line of `ip -N monitor` can be a change by someone else: what we and the routing daemons
 * add is not; a removal of ours is.
 */
export const isNewsOfKernel = (line: string): boolean => {
  const protocol = protocolOf.exec(line)?.[1];
  if (protocol === undefined) return line.trim() !== "";
  if (routed.includes(protocol)) return false;
  return protocol !== ownProtocol || /\bDeleted\b/.test(line);
};

/** Elements of sets come and go by themselves, but for those of our own (`s_`, firewall/render.ts). */
export const isNewsOfRules = (line: string): boolean =>
  /^(add|delete|insert|replace|destroy) (?:(table|chain|rule|set|map|flowtable) |element inet weft s_)/.test(
    line,
  );

/**
 * Reads lines of `nft monitor` in their order. Of a change in a set of intervals nft 1.0.6 shows only
 * that there is a new generation of the rules, so one in which nothing was shown is news.
 */
export const createRulesReader = (): ((line: string) => boolean) => {
  let isShown = false;
  return (line) => {
    const isGeneration = line.startsWith("# new generation");
    const isNews = isGeneration ? !isShown : isNewsOfRules(line);
    isShown = !isGeneration;
    return isNews;
  };
};

/** @returns ends it */
export const watchKernel = (changed: () => void): (() => void) => {
  const receive = (isNews: (line: string) => boolean) => (line: string | null) => {
    if (line === null || isNews(line)) changed();
  };
  const ends = [
    monitor(kernel, receive(isNewsOfKernel)),
    monitor(rules, receive(createRulesReader())),
  ];
  return () => {
    for (const end of ends) end();
  };
};
