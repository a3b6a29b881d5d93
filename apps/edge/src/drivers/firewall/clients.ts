/** Mobile clients in the namespace of a space: what they may, and how much. Pure. */
import type { ClientSection } from "@weft/contract/device/v1/client.ts";
import { chain, dropOver, spaceLinks } from "./nft.ts";

/**
 * Limits of mobile accounts by their addresses. What is above the rate is dropped: the other end's
 * TCP slows down by itself.
 */
const limits = (
  { interfaceName, peers }: ClientSection,
  way: "up" | "down",
): { jump: string[]; chains: string[] } => {
  const limited = peers.flatMap(({ id, address, [way]: rate }) =>
    rate === null ? [] : [{ name: `c_${way}_${id}`, address, rate }],
  );
  if (limited.length === 0) return { jump: [], chains: [] };
  const match = way === "up" ? "iifname" : "oifname";
  const end = way === "up" ? "saddr" : "daddr";
  const targets = limited.map(({ name, address }) => `${address} : jump ${name}`).join(", ");
  return {
    jump: [`${match} "${interfaceName}" ip ${end} vmap { ${targets} }`],
    chains: limited.map(({ name, rate }) => chain(name, [dropOver(rate)])),
  };
};

/** What clients may: into the space and back, and ask whether the POP is there. */
export const clientRules = (section: ClientSection | null) => {
  if (section === null) return { chains: [], input: [], forward: [], clamped: [] };
  const name = `"${section.interfaceName}"`;
  const [up, down] = [limits(section, "up"), limits(section, "down")];
  return {
    chains: [...up.chains, ...down.chains],
    input: [`iifname ${name} icmp type echo-request accept`],
    forward: [
      ...up.jump,
      ...down.jump,
      `iifname ${name} oifname ${spaceLinks} accept`,
      `iifname ${spaceLinks} oifname ${name} accept`,
    ],
    clamped: [name],
  };
};
