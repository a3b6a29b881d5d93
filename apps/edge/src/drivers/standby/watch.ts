/** What a device is in its standby group, and whether it is worth being active. Pure. */
import type { StandbyPlace } from "@weft/contract/device/v1/standby.ts";
import { canonicalCidr } from "#drivers/address.ts";
import type { StandbyPart } from "./plan.ts";

/** Addresses of interfaces with a carrier, by interface: those without one are not among them. */
export type Present = ReadonlyMap<string, readonly string[]>;

type Part = NonNullable<StandbyPart>;

/** As `os.networkInterfaces` gives them. */
export const presentOf = (
  found: Readonly<Record<string, readonly { readonly cidr: string | null }[] | undefined>>,
): Present =>
  new Map(
    Object.entries(found).map(([name, all = []]) => [
      name,
      all.flatMap(({ cidr }) => (cidr === null ? [] : [canonicalCidr(cidr)])),
    ]),
  );

/**
 * By its addresses, whatever its program says of itself: who has the gateways is active.
 * @param canTake it runs VRRP, and has not failed
 */
export const placeOf = (part: Part, present: Present, canTake: boolean): StandbyPlace => {
  const isHeld = ({ interfaceName, address }: Part["held"][number]): boolean =>
    present.get(interfaceName)?.includes(address) === true;
  if (part.held.every(isHeld)) return "active";
  return canTake ? "standby" : "fault";
};

/**
 * Whether the device can carry what its LANs send: null while it is not known.
 * @param verdicts whether links answer, by id; those that are not known are left out
 */
export const isWhole = (
  { lans, lines, links }: Part,
  present: Present,
  verdicts: ReadonlyMap<number, boolean>,
): boolean | null => {
  if (lans.some((name) => !present.has(name))) return false;
  // An address of the link itself is there whatever the provider does.
  const isUp = (name: string): boolean =>
    present.get(name)?.some((text) => !text.startsWith("fe80:")) === true;
  if (lines.length > 0 && !lines.some(isUp)) return false;
  const known = links.flatMap((id) => verdicts.get(id) ?? []);
  if (links.length === 0 || known.includes(true)) return true;
  return known.length === 0 ? null : false;
};

/** A device that comes back stands by for so long before it takes over: routes and peers are there by then. */
export const holdMs = 5_000;

/** When a device is worth being active; it begins as one that is not. */
export class Worth {
  #wholeSince: number | null = null;
  #hasFailed: boolean;

  /** @param hasFailed as an earlier run left it */
  constructor(hasFailed = true) {
    this.#hasFailed = hasFailed;
  }

  /**
   * @param carries `isWhole`
   * @param now ms on a clock that only goes forward
   * @returns true: it yields to the other one
   */
  hasFailed(carries: boolean | null, now: number): boolean {
    if (carries === false) [this.#hasFailed, this.#wholeSince] = [true, null];
    if (carries === true) {
      this.#wholeSince ??= now;
      if (now - this.#wholeSince >= holdMs) this.#hasFailed = false;
    }
    return this.#hasFailed;
  }
}
