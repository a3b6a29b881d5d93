/** Hardware addresses as people paste them. */
import { z } from "zod";
import { failsWith } from "#kernel/rule.ts";

/** Six octets, as Linux, Windows and Cisco write them, and without anything between. */
const macForms = [
  /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/,
  /^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}$/,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}$/,
  /^[0-9a-f]{12}$/,
];

/**
 * A hardware address in any of the forms that devices print it in, as "02:00:5e:10:00:01".
 * @param text in lower case @returns null: it is none
 */
export const macIn = (text: string): string | null =>
  macForms.some((form) => form.test(text))
    ? (text.replaceAll(/[^0-9a-f]/g, "").match(/../g) ?? []).join(":")
    : null;

/** One that the host itself chose, and no maker of cards (IEEE 802, locally administered). @param mac in colon form */
export const isLocalMac = (mac: string): boolean =>
  (Number.parseInt(mac.slice(0, 2), 16) & 2) !== 0;

/** A card's own address: no group of cards, not all of them, and not none (IEEE 802). */
const isOfOneCard = (mac: string): boolean =>
  mac !== "00:00:00:00:00:00" && (Number.parseInt(mac.slice(0, 2), 16) & 1) === 0;

const cardMac = z
  .string()
  .refine((value) => macIn(value) === value, failsWith("mac"))
  .refine((value) => macIn(value) !== value || isOfOneCard(value), failsWith("macOfCard"));

/** The hardware address of one card, however it is written, as "02:00:5e:10:00:01". */
export const hostMac = z.codec(z.string(), cardMac, {
  decode: (text) => macIn(text.trim().toLowerCase()) ?? text,
  encode: (value) => value,
});
