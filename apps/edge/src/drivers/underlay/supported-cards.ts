/** What is set of the cards of a device as far as it can act there. Pure. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { UnderlaySection } from "@weft/contract/device/v1/underlay.ts";
import { carriesNoIpv6, offCards, usesIpv6 } from "./cards.ts";
import { cardOf } from "./vlans.ts";

interface FittedCards {
  /** Of the section; absent: nothing is set of any. */
  readonly cards: Pick<UnderlaySection, "cards">;
  /** What is on it is down with it: as its operator wants it, and no finding. */
  readonly isOff: (interfaceName: string) => boolean;
}

/** @param found gets what does not act, and why */
export function supportedCards(
  underlay: UnderlaySection,
  isMissing: (interfaceName: string) => boolean,
  found: Finding[],
): FittedCards {
  const { cards: all = [], vlans = [] } = underlay;
  const cardsOfLines = underlay.lines.map(({ interfaceName }) => cardOf(underlay, interfaceName));
  const report = (object: string, reason: Finding["reason"]): void => {
    found.push({ section: "underlay", kind: "card", object, reason, params: {} });
  };
  const there = all.filter(({ interfaceName }) => {
    const isThere = !isMissing(interfaceName);
    if (!isThere) report(interfaceName, "noInterface");
    return isThere;
  });
  const off = new Set(offCards(there));
  // Without any the device would be out of reach until it rolls back.
  const isCut = cardsOfLines.length > 0 && cardsOfLines.every((name) => off.has(name));
  const ofLines = new Set(isCut ? cardsOfLines : []);
  const fitted = there.map((card) => {
    const { interfaceName } = card;
    const staysOn = card.off && ofLines.has(interfaceName);
    if (staysOn) report(interfaceName, "lastLine");
    // An interface of a VLAN has no larger packets than its card.
    const carried = vlans.filter(({ parent }) => parent === interfaceName);
    const names = [interfaceName, ...carried.map((vlan) => vlan.interfaceName)];
    const isSmall = carriesNoIpv6(card) && names.some((name) => usesIpv6(underlay, name));
    if (isSmall) report(interfaceName, "mtuBelowIpv6");
    return { ...card, ...(staysOn && { off: false }), ...(isSmall && { mtu: null }) };
  });
  const down = new Set(offCards(fitted));
  return {
    cards: all.length === 0 ? {} : { cards: fitted },
    isOff: (name) => down.has(name) || down.has(cardOf(underlay, name)),
  };
}
