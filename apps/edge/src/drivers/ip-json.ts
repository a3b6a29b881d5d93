/** Shapes of `ip -j` answers (ip(8)), as far as the drivers read them. */
import type { Run } from "./exec.ts";

export interface IpAddress {
  readonly family: "inet" | "inet6";
  readonly local?: string;
  readonly prefixlen: number;
  readonly scope: string;
  /** Another host of the link has it (RFC 4862, 5.4). */
  readonly dadfailed?: boolean;
}

export interface IpLink {
  readonly ifname: string;
  readonly flags: readonly string[];
  readonly mtu: number;
  readonly link_type?: string;
  readonly linkinfo?: { readonly info_kind?: string };
  readonly addr_info?: readonly IpAddress[];
  readonly stats64?: {
    readonly rx: { readonly bytes: number };
    readonly tx: { readonly bytes: number };
  };
}

/** Kernel answers are parsed as text; an empty one is an empty list. */
export const ipJson = async <Row>(
  run: Run,
  args: readonly string[],
  netns: string | null = null,
): Promise<Row[]> => {
  const text = await run(["ip", "-j", ...args], { netns });
  return text.trim() === "" ? [] : (JSON.parse(text) as Row[]);
};

/**
 * Several questions of one family in one program: to start one costs more than its answers.
 *
 * @param questions as ip(8) takes them without its options: "rule list"
 * @returns the rows of each answer, in the order of the questions
 */
export const ipJsonOfAll = async (
  run: Run,
  options: readonly string[],
  questions: readonly string[],
): Promise<unknown[][]> => {
  const input = `${questions.join("\n")}\n`;
  const text = await run(["ip", "-j", ...options, "-batch", "-"], { input });
  const answers = text.trimEnd().split("\n");
  if (answers.length !== questions.length)
    throw new Error(`ip gave ${answers.length} answers to ${questions.length} questions`);
  return answers.map((answer) => JSON.parse(answer) as unknown[]);
};

/** Numbers of rtnetlink, where names were not asked for. */
const scopes: Readonly<Record<string, string>> = { "0": "global", "253": "link", "254": "host" };

/**
 * Addresses that somebody gave the interface, as address/length; link-local ones come and go by themselves. The kernel
 * calls 127.0.0.0/8 a scope of the host on every interface, and has it by itself on the loopback only.
 */
export const globalAddresses = (link: IpLink): string[] => {
  const isLoopback = link.flags.includes("LOOPBACK");
  return (link.addr_info ?? []).flatMap(({ scope, local, prefixlen }) => {
    const named = scopes[scope] ?? scope;
    const isGiven = named !== "link" && !(named === "host" && isLoopback);
    return isGiven && local !== undefined ? [`${local}/${prefixlen}`] : [];
  });
};
