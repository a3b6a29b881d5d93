import { codeOptions } from "#client/texts.ts";
import type { FilterSpec } from "#kernel/list/filter-bar.tsx";
import type { NodeTexts } from "./node-texts.ts";

const states = ["4", "5"];

/**
 * Filter of a list of nodes by `key`: nodes that are due or expired. Any other text of an address is looked for in names
 * and serial numbers (specification section 2.6), and is shown as that.
 * @param key what the list is filtered by now
 */
export function keyFilter(t: NodeTexts, key: string | null | undefined): FilterSpec {
  const expiry = codeOptions(t, "expiryState", states);
  if (key == null || states.includes(key))
    return { key: "key", kind: "select", label: t("node.expiry"), options: expiry };
  const searched = { value: key, label: t("node.keyword", { text: key }) };
  return { key: "key", kind: "select", label: t.field("key"), options: [searched, ...expiry] };
}
