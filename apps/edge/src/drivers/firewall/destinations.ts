/** Policy routes that change the destination of their flows: where these pass, and with which source. Pure. */
import { markMask, markText } from "@weft/contract/device/v1/mark.ts";
import { familyOf } from "#drivers/address.ts";
import { pathMask } from "#drivers/policy-paths.ts";
import { keyword } from "./address-sets.ts";
import { chain, set } from "./nft.ts";

interface Moved {
  /** Of the flows. */
  readonly mark: number;
  readonly destination: string;
}

interface DestinationContext {
  readonly lines: readonly { readonly interfaceName: string }[];
  readonly lans: readonly string[];
  /** What hosts send that may leave by the WAN links, as matches of nft. */
  readonly hosts: readonly string[];
}

interface DestinationParts {
  readonly chains: readonly string[];
  /** In the order of the forward chain. */
  readonly forward: readonly string[];
  /** Before all other rules of the chain that translates sources. */
  readonly nat: readonly string[];
}

const bits = markText(pathMask);
/** With the kind of source NAT: the mark of a path is that of its flows that get the address of their interface. */
const fieldBits = markText(markMask("path"));

export function destinationParts(
  moved: readonly Moved[],
  { lines, lans, hosts }: DestinationContext,
): DestinationParts {
  if (moved.length === 0) return { chains: [], forward: [], nat: [] };
  const marks = moved.map(({ mark }) => markText(mark)).sort();
  const flows = `ct status dnat ct mark & ${bits} == { ${marks.join(", ")} }`;
  const inside = set([...lines.map((line) => line.interfaceName), ...lans]);
  return {
    chains: [
      // Before port mappings: what was sent elsewhere is not for them.
      chain(
        "c_destination",
        moved.map(
          ({ mark, destination }) =>
            `ct mark & ${bits} == ${markText(mark)} dnat ${keyword(familyOf(destination))} to ${destination}`,
        ),
        "type nat hook prerouting priority dstnat - 1; policy accept;",
      ),
    ],
    forward: [
      ...hosts.map((match) => `${match}oifname ${set(lans)} ct direction original ${flows} accept`),
      `iifname ${inside} oifname ${set(lans)} ct direction reply ${flows} accept`,
    ],
    nat: [
      // Else the host would be answered directly, by one whom it did not ask.
      ...lans.map((name) => `iifname "${name}" oifname "${name}" ${flows} masquerade`),
      `oifname ${inside} ct mark & ${fieldBits} == { ${marks.join(", ")} } masquerade`,
    ],
  };
}
