/** Names of the interfaces that carry VLANs (IEEE 802.1Q), as Linux distributions write them: `eth2.30`. */

/** What Linux gives an interface name beside the terminating zero (IFNAMSIZ). */
const maxLength = 15;

/**
 * Name of the interface of a VLAN. One that Linux would refuse as too long is made of the tag and the end of the card's
 * name, which distinguishes cards that are named by their hardware address (`enx0242ac110002` -> `v30-242ac110002`). Two cards
 * whose names end alike may have one in common: the second LAN on it is refused where it is saved.
 * @param parent name of the card
 * @param tag 1 to 4094
 */
export function vlanInterfaceName(parent: string, tag: number): string {
  const name = `${parent}.${tag}`;
  if (name.length <= maxLength) return name;
  const start = `v${tag}-`;
  return `${start}${parent.slice(start.length - maxLength)}`;
}

/** The interface that a LAN section is on: that of its VLAN, or the card itself. */
export const interfaceOf = (card: string, tag: number | null): string =>
  tag === null || tag === 0 ? card : vlanInterfaceName(card, tag);

/** Card and tag of a name in the common form; null: it is not of that form. */
export function vlanOfName(name: string): { readonly parent: string; readonly tag: number } | null {
  const [, parent, digits] = /^([A-Za-z][A-Za-z0-9_-]*)\.([1-9]\d{0,3})$/.exec(name) ?? [];
  const tag = Number(digits);
  return parent === undefined || tag > 4_094 ? null : { parent, tag };
}
