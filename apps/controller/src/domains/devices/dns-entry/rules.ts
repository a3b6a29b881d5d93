import { maxDnsLines } from "@weft/contract/domains/devices/dns-entry.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { parseAddress } from "@weft/contract/rules/address.ts";
import { isDomain } from "@weft/contract/rules/host.ts";

export interface FileEntry {
  readonly domain: string;
  readonly address: string;
  readonly type: 0 | 1;
  readonly remark: string;
}

const issue = (line: number, value: string): RuleIssue => ({
  path: "file",
  rule: "dnsLine",
  params: { line, value: value.slice(0, 64) },
});

/** `domain,address[,type[,remark]]`. */
function fromList(text: string): FileEntry[] | null {
  const [domain = "", address = "", type = "", ...remark] = text
    .split(",")
    .map((part) => part.trim());
  if (!isDomain(domain) || parseAddress(address) === null) return null;
  if (!["", "0", "1"].includes(type)) return null;
  return [{ domain, address, type: type === "1" ? 1 : 0, remark: remark.join(",").slice(0, 255) }];
}

/** `address domain...` as in hosts(5). */
function fromHosts(text: string): FileEntry[] | null {
  const [address = "", ...domains] = text.split(/\s+/);
  if (parseAddress(address) === null || domains.length === 0) return null;
  if (!domains.every(isDomain)) return null;
  return domains.map((domain) => ({ domain, address, type: 0, remark: "" }));
}

/**
 * Entries of a file, each once; the first lines that cannot be read, with their numbers, are issues
 * and then nothing of it counts. Pure.
 */
export function readDnsFile(bytes: Uint8Array): {
  readonly entries: readonly FileEntry[];
  readonly issues: readonly RuleIssue[];
} {
  const lines = new TextDecoder()
    .decode(bytes)
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/);
  if (lines.length > maxDnsLines) {
    const tooMany = { path: "file", rule: "tooMany", params: { max: maxDnsLines } } as const;
    return { entries: [], issues: [tooMany] };
  }
  const entriesByText = new Map<string, FileEntry>();
  const issues: RuleIssue[] = [];
  for (const [at, raw] of lines.entries()) {
    const text = raw.replace(/#.*$/, "").trim();
    if (text === "" || (at === 0 && /^domain,address\b/i.test(text))) continue;
    const entries = text.includes(",") ? fromList(text) : fromHosts(text);
    if (entries === null) issues.push(issue(at + 1, text));
    else for (const entry of entries) entriesByText.set(`${entry.domain} ${entry.address}`, entry);
  }
  return { entries: [...entriesByText.values()], issues: issues.slice(0, 5) };
}
