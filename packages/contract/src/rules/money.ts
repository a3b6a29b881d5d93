import { z } from "zod";
import { failsWith } from "#kernel/rule.ts";

/** Minor units of one unit of the installation's currency: 100 fen are one yuan. */
export const minorUnits = 100;

const amountText = /^(-?)(0|[1-9]\d{0,14})(?:\.(\d{1,2}))?$/;

/** "12.5" -> 1250. By its digits: 8.2 times 100 is not 820 in binary. NaN for anything else. */
export const toMinor = (value: string | number): number => {
  const part = amountText.exec(String(value).trim());
  if (!part) return Number.NaN;
  const [, sign, whole = "", cents = ""] = part;
  const minor = Number(`${whole}${cents.padEnd(2, "0")}`);
  return sign === "-" && minor !== 0 ? -minor : minor;
};

/** 1250 -> "12.50". */
export const fromMinor = (minor: number): string => {
  const digits = String(Math.abs(minor)).padStart(3, "0");
  return `${minor < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/**
 * An amount of money: a decimal of at most two places on the wire, whole minor units in memory.
 * @param min and max in minor units.
 */
export const money = (min: number, max: number) =>
  z.codec(
    z.union([z.string(), z.number()]),
    z
      .custom<number>((value) => Number.isSafeInteger(value), failsWith("money"))
      .refine(
        (value) => value >= min && value <= max,
        failsWith("outOfRange", { min: fromMinor(min), max: fromMinor(max) }),
      ),
    {
      decode: toMinor,
      // What is no whole number of minor units breaks the rule above, and has no other form.
      encode: (value) => (Number.isSafeInteger(value) ? Number(fromMinor(value)) : value),
    },
  );

/** One recharge: from a cent to ten thousand million. */
export const rechargeAmount = money(1, 1_000_000_000_000);
/** How far below zero a credit may go. */
export const creditLimit = money(0, 1_000_000_000_000);
/** Any sum that the ledger holds: 15 digits, which a number of JSON carries exactly. */
export const sum = money(-999_999_999_999_999, 999_999_999_999_999);
