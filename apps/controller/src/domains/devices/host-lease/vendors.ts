/** Makers of network cards, by the first three octets of their addresses (IEEE registry MA-L). */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isLocalMac } from "@weft/contract/rules/mac-forms.ts";

/** Holder of blocks that are divided further: not a vendor. */
const ofRegistry = /^IEEE Registration Authority/i;

let makers: ReadonlyMap<string, string> | null = null;

/** Read on first use: 5 MB of text, which a start does not wait for. */
function allMakers(): ReadonlyMap<string, string> {
  if (makers) return makers;
  const file = fileURLToPath(import.meta.resolve("oui-data"));
  const entries = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, string>);
  const named = entries.map(([prefix, text]) => [prefix, text.split("\n")[0] ?? ""] as const);
  makers = new Map(named.filter(([, name]) => name !== "" && !ofRegistry.test(name)));
  return makers;
}

/** @param mac "00:1b:21:10:00:01"; null: chosen by the host itself, or registered to nobody that is known */
export const vendorOf = (mac: string): string | null =>
  isLocalMac(mac)
    ? null
    : (allMakers().get(mac.slice(0, 8).replaceAll(":", "").toUpperCase()) ?? null);
